package demo

import "docket/memory"

// openDomains are the questions that wait at the end and were found once: two or
// more values with equal scores beside what is in force.
func openDomains() []domain {
	return []domain{
		{"auth.session-store", memory.Decision, []value{ // found at 22
			{text: "Keep sessions in signed cookies.", said: []saying{
				{116, "09:50", "agent", 4, file("internal/auth/session.go", 22)},
				{103, "14:18", "agent", 3, file("internal/auth/session_test.go", 57)},
			}},
			{text: "Keep sessions on the server, in Redis.", said: []saying{
				{60, "10:37", "agent", 4, ticket("BILL-118")},
				{54, "08:52", "user", 3, file("docs/adr/0008-sessions.md", 19)},
				{25, "13:09", "agent", 3, file("internal/auth/session.go", 64)},
			}},
			{text: "Keep sessions on the server, in files.", said: []saying{
				{58, "15:41", "agent", 4, file("internal/auth/store.go", 12)},
				{54, "11:26", "reviewer-bot", 3, page("https://git.example.com/billing/pulls/231")},
			}},
			{text: "会话保存在服务端数据库里，Cookie 只放会话编号。", said: []saying{
				{57, "08:14", "user", 3, file("docs/会话方案.md", 8)},
				{54, "09:33", "planner", 3, ticket("BILL-118")},
			}},
		}},
		{"release.cadence", memory.Decision, []value{ // found at 22
			{text: "每两周发布一次。", said: []saying{
				{113, "08:30", "user", 4, file("docs/发布流程.md", 3)},
				{97, "09:12", "ci", 3, file(".github/workflows/release.yml", 7)},
			}},
			{text: "按需发布，合并即上线。", said: []saying{
				{59, "10:08", "agent", 4, ticket("BILL-121")},
				{54, "13:47", "user", 3, page("https://wiki.example.com/billing/release")},
			}},
			{text: longReleaseRule, said: []saying{
				{57, "09:25", "planner", 4, file("docs/发布流程.md", 41)},
				{54, "15:02", "agent", 4, file("docs/发布流程.md", 41).and(commit("b7d20f4"))},
			}},
		}},
		{"runtime.go-version", memory.Decision, []value{ // found at 16; nothing in force
			{text: "Go 1.25 in every module.", said: []saying{
				{62, "10:15", "agent", 3, file("go.mod", 3)},
				{48, "08:55", "ci", 3, file(".github/workflows/test.yml", 18)},
			}},
			{text: "Go 1.26 in every module.", said: []saying{
				{55, "13:30", "planner", 3, ticket("BILL-127")},
				{48, "15:10", "agent", 3, file("tools/go.mod", 3)},
				{24, "09:05", "reviewer-bot", 3, page("https://git.example.com/billing/pulls/274")},
			}},
		}},
		{"queue.retry-limit", memory.Decision, []value{ // found at 13
			{text: "Three tries, then give up.", said: []saying{
				{111, "11:44", "planner", 4, file("internal/queue/worker.go", 90)},
			}},
			{text: "Five tries, then dead letter.", said: []saying{
				{53, "09:18", "agent", 5, file("internal/queue/worker.go", 93)},
				{45, "14:29", "ci", 4, commit("e19a5c7")},
			}},
			{text: "Ten tries with backoff, then dead letter.", said: []saying{
				{51, "16:20", "user", 4, ticket("BILL-140")},
				{45, "10:51", "agent", 3, file("internal/queue/backoff.go", 15)},
			}},
			{text: "Retry for 24 hours, then dead letter.", said: []saying{
				{47, "13:36", "agent", 5, page("https://docs.stripe.com/webhooks")},
				{45, "08:07", "planner", 3, ticket("BILL-140")},
			}},
			{text: "Dead letter queue drained by hand: 212 jobs, 41 minutes, 3 customers told.", kind: memory.Outcome, said: []saying{
				{21, "16:45", "user", 3, ticket("OPS-58")},
			}},
		}},
		{"test.database", memory.Decision, []value{ // found at 10
			{text: "Tests run on SQLite in memory.", said: []saying{
				{114, "10:02", "agent", 4, file("internal/testkit/db.go", 11)},
				{88, "12:40", "ci", 3, file(".github/workflows/test.yml", 31)},
			}},
			{text: "Tests run on Postgres in a container.", said: []saying{
				{50, "09:47", "ci", 4, file(".github/workflows/integration.yml", 22)},
				{42, "15:28", "agent", 3, file("internal/testkit/container.go", 9)},
			}},
			{text: "Tests run on fakes; no database.", said: []saying{
				{47, "11:15", "reviewer-bot", 4, page("https://git.example.com/billing/pulls/249")},
				{42, "10:33", "agent", 3, file("internal/ledger/fake.go", 1)},
			}},
		}},
		{"logging.format", memory.Convention, []value{ // found at 7
			{text: "Logs are plain text, one line an event.", said: []saying{
				{113, "13:22", "agent", 4, file("internal/log/log.go", 17)},
			}},
			{text: "Logs are JSON lines.", said: []saying{
				{46, "08:39", "agent", 4, file("deploy/vector.toml", 26)},
				{39, "16:11", "ci", 3, commit("40fd9b2")},
				{18, "10:24", "agent", 3, file("internal/log/log.go", 17)},
			}},
			{text: "Logs are logfmt.", said: []saying{
				{44, "14:53", "planner", 4, file("docs/adr/0011-logs.md", 6)},
				{39, "09:20", "agent", 3, file("internal/log/logfmt.go", 4)},
			}},
		}},
		{"build.tool", memory.Decision, []value{ // found at 4, and today one more fact
			{text: "Build with make.", said: []saying{
				{119, "10:44", "agent", 4, file("Makefile", 1)},
			}},
			{text: "Build with just.", said: []saying{
				{43, "09:08", "agent", 4, file("justfile", 1)},
				{36, "13:50", "ci", 3, file(".github/workflows/test.yml", 12)},
				{0, "09:40", "agent", 3, file("README.md", 34)},
			}},
			{text: "Build with task.", said: []saying{
				{41, "15:33", "user", 3, file("Taskfile.yml", 1)},
				{36, "10:16", "planner", 3, ticket("BILL-152")},
			}},
		}},
		{"docs.language", memory.Convention, []value{ // found at 1
			{text: "Docs are in English.", said: []saying{
				{112, "15:05", "agent", 4, file("docs/README.md", 5)},
				{91, "09:36", "reviewer-bot", 3, page("https://git.example.com/billing/pulls/88")},
			}},
			{text: "文档以中文为主，接口名和错误码保留英文。", said: []saying{
				{40, "08:22", "user", 3, file("docs/贡献指南.md", 10)},
				{33, "09:54", "planner", 4, ticket("BILL-158")},
				{12, "08:48", "agent", 3, file("docs/退款流程.md", 1)},
			}},
			{text: "Docs are in both languages, English first.", said: []saying{
				{38, "11:31", "agent", 4, file("docs/README.md", 5)},
				{33, "14:12", "reviewer-bot", 3, page("https://git.example.com/billing/pulls/262")},
			}},
		}},
	}
}

// longReleaseRule is a whole paragraph of a runbook, pasted as one decision.
const longReleaseRule = "每两周的周二上午十点发布，提前一个工作日冻结主干；月末最后三个工作日和每月前两个工作日为结账期，" +
	"不发布任何涉及计费、税额、发票和对账的改动，只允许经负责人批准的紧急修复。发布前须在预发环境用上月全量账单重跑一遍，" +
	"核对应收总额、税额合计与发票张数，三项全部一致才能继续；发布后观察支付成功率和回调延迟三十分钟，任一指标低于过去七天同一时段均值的" +
	"百分之九十五，立即回滚，不在线上排查。数据库迁移必须与代码分开发布，先加列、再双写、后切换，旧列至少保留一个完整的账期。" +
	"遇到法定节假日，发布顺延到节后第一个周二，不提前，也不合并成一次大发布。"

// movedDomains are the open questions whose case is not their first: more evidence
// came after the first one was found.
func movedDomains() []domain {
	return []domain{
		{"api.pagination", memory.Convention, []value{ // found at 19, again at 13
			{text: "Page lists with offset and limit.", said: []saying{
				{115, "11:57", "planner", 4, file("api/openapi.yaml", 212)},
				{105, "09:43", "agent", 3, file("internal/api/list.go", 28)},
			}},
			{text: "Page lists with opaque cursors.", said: []saying{
				{57, "13:14", "agent", 4, file("internal/api/cursor.go", 7)},
				{51, "09:02", "user", 3, ticket("BILL-130")},
				{15, "14:40", "agent", 3, file("api/openapi.yaml", 218)},
			}},
			{text: "Page lists by keyset on (created_at, id).", said: []saying{
				{54, "16:27", "reviewer-bot", 4, page("https://git.example.com/billing/pulls/238")},
				{51, "10:59", "agent", 3, file("internal/invoice/query.go", 144)},
			}},
		}},
		{"cache.engine", memory.Decision, []value{ // found at 13, again at 7
			{text: "Cache prices in Redis.", said: []saying{
				{118, "11:20", "agent", 4, file("internal/pricing/cache.go", 14)},
				{107, "15:48", "user", 3, ticket("BILL-37")},
			}},
			{text: "Cache prices in Memcached.", said: []saying{
				{52, "09:33", "agent", 4, file("deploy/cache.tf", 8)},
				{45, "13:05", "reviewer-bot", 3, page("https://git.example.com/billing/pulls/244")},
				{39, "10:40", "agent", 3, file("internal/pricing/cache.go", 71)},
			}},
			{text: "价格表放在进程内的本地缓存里。", said: []saying{
				{49, "08:26", "user", 3, file("docs/性能/价格缓存.md", 15)},
				{45, "09:17", "agent", 3, file("internal/pricing/local.go", 3)},
				{39, "14:22", "agent", 3, commit("7a6e013")},
			}},
		}},
	}
}
