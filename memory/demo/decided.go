package demo

import "docket/memory"

// decidedDomains are the questions that a person decided. Two of them are open
// again: what was chosen holds, and newer evidence asks whether it still should.
func decidedDomains() []domain {
	return []domain{
		{"storage.database", memory.Decision, []value{ // decided at 61, open again since 19
			{text: "Use flat files.", said: []saying{
				{119, "09:12", "planner", 4, file("docs/adr/0002-storage.md", 14)},
			}},
			{text: "Use flat files, one a customer.", said: []saying{
				{112, "10:05", "agent", 3, file("internal/store/files.go", 31)},
				{110, "13:40", "user", 4, file("docs/adr/0002-storage.md", 40)},
			}},
			{text: "Use SQLite.", said: []saying{
				{102, "08:47", "agent", 4, file("internal/store/files.go", 118)},
				{98, "15:22", "user", 3, ticket("BILL-61")},
				{59, "09:31", "agent", 3, commit("8c41d0e")},
			}},
			{text: "Use LMDB.", said: []saying{
				{101, "11:03", "agent", 4, file("internal/store/bench_test.go", 26)},
				{98, "09:58", "reviewer-bot", 3, page("https://git.example.com/billing/pulls/97")},
			}},
			{text: "Use Postgres.", said: []saying{
				{58, "10:12", "user", 3, file("docs/adr/0007-second-writer.md", 9)},
				{51, "14:35", "migration-tool", 4, file("deploy/db.tf", 40)},
				{26, "08:20", "agent", 3, file("internal/ledger/post.go", 203)},
			}},
			{text: "Use MySQL.", said: []saying{
				{56, "09:44", "agent", 4, file("ops/迁移.md", 3)},
			}},
			{text: "use mysql.", said: []saying{
				{51, "11:08", "agent", 3, file("ops/notes.md", 88)},
			}},
			{text: "Use DuckDB.", said: []saying{
				{45, "16:02", "planner", 4, ticket("BILL-133")},
			}},
		}},
		{"deploy.target", memory.Decision, []value{ // decided at 54, open again since 4
			{text: "Deploy on Fly.", said: []saying{
				{117, "10:30", "planner", 5, file("deploy/fly.toml", 1)},
				{106, "12:11", "ci", 3, file(".github/workflows/deploy.yml", 44)},
			}},
			{text: "Deploy on Render.", said: []saying{
				{99, "09:20", "agent", 4, file("deploy/render.yaml", 1)},
				{91, "13:15", "agent", 3, ticket("BILL-72")},
				{47, "10:50", "reviewer-bot", 4, page("https://git.example.com/billing/pulls/251")},
			}},
			{text: "Deploy on our own Kubernetes.", said: []saying{
				{96, "14:02", "planner", 4, file("deploy/k8s/billingd.yaml", 1)},
				{91, "08:41", "migration-tool", 3, ticket("BILL-72")},
			}},
			{text: "部署到自建机房。", said: []saying{
				{41, "08:10", "user", 3, file("ops/机房评估.md", 12)},
				{36, "09:25", "agent", 4, file("deploy/ansible/billingd.yml", 5)},
				{20, "07:45", "agent", 3, file("ops/机房评估.md", 57)},
			}},
		}},
		{"money.rounding", memory.Convention, []value{ // decided at 46
			{text: "Round each invoice line, half up.", said: []saying{
				{118, "14:26", "agent", 4, file("internal/money/round.go", 19)},
				{109, "09:51", "reviewer-bot", 3, page("https://git.example.com/billing/pulls/31")},
			}},
			{text: "Round each invoice line, half to even.", said: []saying{
				{95, "10:48", "agent", 4, file("internal/money/round.go", 44)},
				{84, "15:16", "user", 3, page("https://wiki.example.com/finance/rounding")},
				{37, "09:29", "ci", 3, commit("2f90ab6")},
			}},
			{text: "Round once, on the invoice total.", said: []saying{
				{89, "13:08", "planner", 4, ticket("BILL-84")},
				{84, "11:37", "agent", 3, file("internal/invoice/total.go", 61)},
				{39, "16:32", "agent", 4, ticket("BILL-149")},
			}},
		}},
		{"payments.idempotency-window", memory.Decision, []value{ // decided at 40
			{text: "Keep idempotency keys for 24 hours.", said: []saying{
				{90, "09:06", "agent", 3, page("https://docs.stripe.com/api/idempotent_requests")},
				{77, "14:55", "agent", 3, file("internal/payment/idempotency.go", 33)},
			}},
			{text: "Keep idempotency keys for 72 hours.", said: []saying{
				{86, "10:21", "planner", 3, ticket("BILL-90")},
				{77, "08:36", "ci", 3, file("internal/payment/idempotency_test.go", 120)},
			}},
			{text: "Idempotency table after the weekend: 61,400 keys, 9 MB, no double charge.", kind: memory.Outcome, said: []saying{
				{23, "08:02", "ci", 2, file("ops/reports/idempotency.json", 1)},
			}},
		}},
	}
}
