package demo

import "docket/memory"

// settledDomains are the questions that the rules settled by themselves, some of
// them more than once.
func settledDomains() []domain {
	return []domain{
		{"ci.runner", memory.Decision, []value{ // three revisions, all by rule
			{text: "CI runs on hosted runners.", said: []saying{
				{116, "08:28", "ci", 4, file(".github/workflows/test.yml", 9)},
			}},
			{text: "CI runs on one machine of our own.", said: []saying{
				{97, "13:19", "agent", 4, ticket("OPS-11")},
				{92, "10:04", "user", 3, file("ops/runner.md", 2)},
			}},
			{text: "CI runs on hosted runners; only the integration job is on our own machine.", said: []saying{
				{72, "15:37", "planner", 4, ticket("OPS-29")},
				{69, "09:11", "ci", 4, file(".github/workflows/integration.yml", 9)},
			}},
		}},
		{"db.migrations", memory.Convention, []value{
			{text: "Migrations run with goose, up and down.", said: []saying{
				{100, "10:26", "migration-tool", 4, file("db/migrations/0001_ledger.sql", 1)},
			}},
			{text: "Migrations only go forward, one SQL file a change.", said: []saying{
				{81, "14:09", "agent", 4, file("db/README.md", 11)},
				{77, "09:55", "user", 3, ticket("BILL-96")},
				{64, "11:02", "migration-tool", 3, file("db/migrations/0014_refund_reason.sql", 1)},
			}},
		}},
		{"error.format", memory.Convention, []value{
			{text: "Errors are `{\"error\": \"text\"}`.", said: []saying{
				{117, "15:51", "agent", 4, file("internal/api/error.go", 8)},
			}},
			{text: "Errors are RFC 9457 problem documents.", said: []saying{
				{104, "09:39", "planner", 4, file("docs/adr/0005-errors.md", 7)},
				{98, "13:57", "agent", 4, file("internal/api/problem.go", 5)},
				{79, "10:18", "reviewer-bot", 3, page("https://git.example.com/billing/pulls/171")},
			}},
		}},
		{"http.router", memory.Decision, []value{
			{text: "Routes are registered with chi.", said: []saying{
				{116, "14:33", "agent", 4, file("internal/api/routes.go", 12)},
			}},
			{text: "Routes are registered with the standard library's ServeMux.", said: []saying{
				{89, "08:58", "agent", 4, file("internal/api/routes.go", 12)},
				{84, "13:43", "reviewer-bot", 3, page("https://git.example.com/billing/pulls/152")},
			}},
		}},
		{"runtime.container-base", memory.Decision, []value{
			{text: "Images start from `debian:bookworm-slim`.", said: []saying{
				{115, "09:24", "ci", 4, file("Dockerfile", 11)},
			}},
			{text: "Images start from `distroless/static`, pinned by digest.", said: []saying{
				{93, "15:20", "agent", 4, file("Dockerfile", 11)},
				{85, "10:42", "ci", 4, commit("c03e7d9")},
			}},
		}},
		{"security.tokens", memory.Pitfall, []value{
			{text: "Never log a token.", said: []saying{
				{118, "09:03", "reviewer-bot", 4, file("internal/log/redact.go", 1)},
			}},
			{text: "Never write a token into memory; the redaction list has the patterns.", said: []saying{
				{95, "16:13", "agent", 4, file("internal/log/redact.go", 30)},
				{91, "11:46", "user", 4, ticket("SEC-7")},
			}},
		}},
		{"money.representation", memory.Convention, []value{
			{text: "Amounts are int64 minor units with an ISO 4217 code; never floats.", said: []saying{
				{119, "11:35", "planner", 5, file("docs/adr/0001-money.md", 5)},
				{113, "10:11", "reviewer-bot", 3, page("https://git.example.com/billing/pulls/12")},
				{94, "09:27", "agent", 3, file("internal/money/money.go", 14)},
				{63, "14:04", "user", 4, file("api/openapi.yaml", 64)},
				{27, "10:56", "agent", 3, file("internal/usage/meter.go", 39)},
			}},
		}},
		{"time.zone", memory.Convention, []value{
			{text: "时间一律存 UTC，展示时再按客户时区转换。", said: []saying{
				{117, "08:44", "user", 4, file("docs/约定.md", 6)},
				{101, "09:09", "agent", 3, file("internal/invoice/period.go", 21)},
				{70, "08:17", "agent", 3, file("internal/report/monthly.go", 48)},
			}},
		}},
		{"payments.china-gateway", memory.Decision, []value{
			{text: "国内支付统一走聚合网关，支付宝和微信支付不单独接入。", said: []saying{
				{111, "08:53", "user", 4, file("docs/支付/网关选型.md", 22)},
				{88, "09:40", "agent", 3, file("internal/payment/gateway/cn.go", 10)},
			}},
		}},
		{"invoice.numbering", memory.Convention, []value{
			{text: "发票号按开票主体连续编号，不得跳号，作废也占号。", said: []saying{
				{107, "08:35", "user", 5, page("https://wiki.example.com/finance/发票编号")},
				{82, "09:14", "agent", 3, file("internal/invoice/number.go", 27)},
			}},
		}},
		{"webhook.signature", memory.Convention, []value{
			{text: "Verify the `Stripe-Signature` header before the body is parsed.", said: []saying{
				{109, "13:33", "agent", 4, file("internal/webhook/stripe.go", 41)},
				{86, "10:07", "reviewer-bot", 4, page("https://git.example.com/billing/pulls/149")},
			}},
		}},
	}
}
