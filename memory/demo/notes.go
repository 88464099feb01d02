package demo

// decisionNotes are decisions without a key: they answer no question that is asked
// again.
func decisionNotes() []row {
	return []row{
		{saying{119, "13:58", "planner", 4, file("docs/adr/0001-money.md", 31)}, "The ledger is append-only; a correction is a new posting that names the old one."},
		{saying{106, "14:45", "user", 3, ticket("BILL-40")}, "B2B customers first; consumer checkout waits until the ledger has closed a whole quarter."},
		{saying{83, "09:26", "user", 4, file("ops/runbook.md", 1)}, "1. drain the queue 2. migrate 3. restart, in this order, or webhooks are lost."},
		{saying{76, "11:14", "planner", 3, ticket("BILL-99")}, "Usage-based pricing gets its own module, internal/usage; invoices only see its totals."},
		{saying{60, "08:42", "user", 3, file("docs/支付/对账.md", 17)}, "对账以银行流水为准，网关账单只作参考。"},
		{saying{52, "15:18", "planner", 3, ticket("BILL-144")}, "Credit notes are invoices with a negative total, not a type of their own."},
		{saying{34, "10:20", "agent", 3, file("internal/sepa/mandate.go", 11)}, "SEPA mandates are stored as signed PDFs beside their hash."},
		{saying{31, "14:25", "planner", 4, ticket("BILL-160")}, "Prices are versioned by the instant they take effect; an old price is never edited."},
		{saying{29, "09:59", "agent", 4, file("internal/usage/meter.go", 12)}, "Meter readings are idempotent on (customer, meter, hour)."},
		{saying{24, "13:16", "user", 3, ticket("BILL-165")}, "No proration on downgrades; the lower price starts with the next period."},
		{saying{16, "08:39", "user", 3, file("docs/发票/红冲.md", 4)}, "红冲发票必须引用原发票号，并在同一会计期间内完成。"},
		{saying{8, "15:06", "planner", 4, ticket("BILL-174")}, "The customer portal reads through the public API only; it gets no database user."},
		{saying{2, "10:54", "agent", 3, file("internal/export/datev.go", 9)}, "The DATEV export is written once a month, after the period is locked."},
	}
}

// conventionNotes are conventions without a key.
func conventionNotes() []row {
	return []row{
		{saying{118, "15:39", "user", 4, file("docs/config.md", 8)}, "Paths in configuration are relative to the workspace."},
		{saying{92, "10:33", "agent", 3, file("internal/config/load.go", 52)}, "Paths in configuration are relative to the workspace."},
		{saying{64, "09:21", "ci", 3, file("internal/config/load_test.go", 19)}, "paths in configuration are relative to the workspace."},
		{saying{112, "08:46", "agent", 3, file("internal/log/log.go", 9)}, "日志使用 UTC 时间，字段名用英文小写。"},
		{saying{87, "09:04", "agent", 3, file("docs/约定.md", 14)}, "日志使用 UTC 时间，字段名用英文小写。"},
		{saying{109, "11:52", "reviewer-bot", 3, page("https://git.example.com/billing/pulls/29")}, "Exported names in internal/money say their unit: Minor, Rate, BasisPoints."},
		{saying{99, "14:37", "agent", 4, file("api/openapi.yaml", 31)}, "<invoice-id> in a path is the public ULID, never the row id."},
		{saying{90, "13:24", "planner", 3, file("docs/CONTRIBUTING.md", 22)}, "A pull request that changes a price names the ticket of whoever approved it."},
		{saying{80, "10:09", "agent", 2, file("internal/report/csv.go", 37)}, "CSV exports use semicolons and a BOM, because finance opens them in Excel."},
		{saying{74, "16:17", "agent", 3, file("internal/export/ledger.go", 70)}, "- before an amount in the ledger export means a refund; do not strip it."},
		// The zero-width space came along when a line was copied out of the wiki.
		{saying{65, "09:49", "user", 3, page("https://wiki.example.com/billing/api-limits")}, "Retry-After is in whole sec\u200bonds, never a date."},
		{saying{54, "12:23", "reviewer-bot", 4, file(".golangci.yml", 44)}, "*_test.go may import internal/testkit; nothing else may."},
		{saying{46, "10:58", "reviewer-bot", 3, page("https://git.example.com/billing/pulls/255")}, "Feature branches live three days at most; after that they are split."},
		{saying{40, "15:50", "reviewer-bot", 4, file("docs/CONTRIBUTING.md", 40)}, "> 400 changed lines in one pull request: split it, or say why in the first line."},
		{saying{38, "09:13", "agent", 3, file("docs/约定.md", 33)}, "金额字段一律带币种后缀，例如 amount_cny、amount_eur。"},
		{saying{30, "13:41", "agent", 4, file("internal/webhook/deliver.go", 66)}, "Outgoing webhooks carry `Billing-Event-Id`; receivers de-duplicate on it."},
		{saying{23, "11:19", "ci", 3, file(".github/workflows/test.yml", 40)}, "The race detector runs on every push, the replay of old invoices only at night."},
		{saying{18, "14:31", "agent", 3, file("internal/portal/README.md", 3)}, "Portal strings live in locales/*.toml, one file a language, keys in English."},
		{saying{10, "09:28", "reviewer-bot", 3, page("https://git.example.com/billing/pulls/301")}, "Every new table has created_at and the actor who caused the row."},
		{saying{5, "10:44", "agent", 3, file("docs/约定.md", 41)}, "接口返回的时间一律用 RFC 3339，不返回时间戳数字。"},
		{saying{1, "13:52", "agent", 3, file("internal/api/etag.go", 6)}, "ETags of invoices are the hash of the rendered PDF, so that a re-render without change is a 304."},
	}
}

// pitfallNotes are pitfalls without a key.
func pitfallNotes() []row {
	return []row{
		{saying{104, "10:38", "agent", 4, file("deploy/README.md", 12)}, "# comments in deploy/*.env break the loader; put notes into deploy/README.md."},
		{saying{97, "15:55", "agent", 3, commit("91be2c7")}, "`go test ./...` in CI without GOFLAGS=-mod=readonly rewrote go.sum on the runner."},
		{saying{93, "09:17", "reviewer-bot", 5, file("internal/pdf/chromium.go", 58)}, "Never let <script> or <iframe> into invoice notes: the PDF renderer runs them."},
		{saying{85, "14:13", "reviewer-bot", 4, file("internal/pricing/rule.go", 77)}, "`time.Now()` in a pricing rule makes a rerun differ; pass the billing instant in."},
		{saying{61, "10:02", "agent", 3, file("internal/usage/rate.go", 29)}, "`time.Now()` in a pricing rule makes a rerun differ; pass the billing instant in."},
		{saying{78, "13:46", "agent", 5, file("internal/webhook/stripe.go", 88)}, "Stripe sends invoice.paid twice when a card is retried; de-duplicate on the event id."},
		{saying{71, "08:50", "agent", 3, file("internal/payment/gateway/cn.go", 74)}, "聚合网关返回的金额偶尔带全角小数点（例如 12．50），解析前要先转成半角。"},
		{saying{68, "11:34", "agent", 3, ticket("OPS-27")}, "SQLITE_BUSY under load was our own second connection pool, not the disk."},
		{saying{57, "09:08", "user", 5, ticket("BILL-119")}, "退款金额超过原订单余额时，网关会返回成功但并不退款，必须先查余额。"},
		{saying{55, "15:31", "agent", 3, file("internal/invoice/period.go", 63)}, "Adding a month to January 31 gives March 3; use period.Next, not AddDate."},
		{saying{44, "14:16", "agent", 4, file("internal/bank/camt.go", 102)}, "[EUR]: before a bank reference is the bank's own; match on what follows."},
		{saying{41, "10:27", "ci", 3, file("internal/pdf/golden_test.go", 18)}, "PDF goldens differ between fontconfig versions; compare the text layer, not the bytes."},
		{saying{33, "09:45", "agent", 3, file("internal/sepa/xml.go", 140)}, "pain.008 files over 10,000 lines are cut off silently by the bank's upload form."},
		{saying{30, "16:22", "agent", 4, file("internal/ledger/close.go", 51)}, "Closing a period while a refund is in flight leaves the posting in neither month."},
		{saying{26, "13:38", "reviewer-bot", 3, page("https://git.example.com/billing/pulls/270")}, "A nil *big.Rat marshals as \"<nil>\" into the audit CSV."},
		{saying{21, "09:32", "agent", 4, ticket("OPS-57")}, "夏令时切换当天，按本地时间跑的出账任务会少跑或多跑一次。"},
		{saying{14, "15:01", "agent", 3, file("internal/portal/upload.go", 33)}, "Safari sends no Content-Length on retried uploads; do not use it as the size limit."},
		{saying{7, "11:23", "agent", 4, file("internal/tax/vies.go", 45)}, "VIES answers \"valid\" for a deregistered VAT number until midnight, Brussels time."},
		{saying{3, "14:19", "ci", 3, commit("d5508ea")}, "A cached Docker layer kept the old CA bundle; the gateway's new certificate failed only on the runner."},
		{saying{0, "10:25", "agent", 3, file("internal/dunning/mail.go", 92)}, "Dunning mails to a shared mailbox bounce once and then count as unpaid; look at the bounce reason first."},
	}
}
