package demo

import "docket/memory"

// waitingDomains are the questions on which something is missing: one more
// confirmation, or days. One is stale, and one will tie in about six days.
func waitingDomains() []domain {
	return []domain{
		{"payments.provider", memory.Decision, []value{
			{text: "Stripe takes all card payments.", said: []saying{
				{118, "10:19", "planner", 5, file("docs/adr/0003-cards.md", 4)},
				{96, "09:32", "agent", 3, file("internal/payment/gateway/stripe.go", 1)},
			}},
			{text: "Adyen takes all card payments.", said: []saying{
				{49, "15:44", "agent", 4, ticket("BILL-137")},
			}},
		}},
		{"secrets.store", memory.Decision, []value{
			{text: "Secrets come from Fly's secret store.", said: []saying{
				{114, "13:02", "agent", 4, file("deploy/fly.toml", 19)},
			}},
			{text: "Secrets come from SOPS files in the repository.", said: []saying{
				{66, "10:29", "agent", 5, file("deploy/secrets/README.md", 1)},
			}},
		}},
		{"tax.rates-source", memory.Decision, []value{ // the challenger is stale: what is in force was said again later
			{text: "VAT rates come from `tax/rates.csv`, reviewed each quarter.", said: []saying{
				{108, "09:48", "user", 4, file("tax/rates.csv", 1)},
				{68, "14:51", "user", 4, ticket("BILL-108")},
			}},
			{text: "VAT rates come from the provider's API.", said: []saying{
				{72, "10:13", "agent", 4, page("https://docs.stripe.com/tax")},
				{70, "15:29", "agent", 3, file("internal/tax/remote.go", 16)},
			}},
		}},
		{"metrics.backend", memory.Decision, []value{ // ties when 25 becomes 31
			{text: "Metrics go to Prometheus.", said: []saying{
				{105, "11:10", "ci", 4, file("deploy/prometheus.yml", 3)},
			}},
			{text: "Metrics go through OpenTelemetry.", said: []saying{
				{35, "09:41", "agent", 4, file("internal/metrics/otel.go", 1)},
				{25, "14:08", "planner", 3, ticket("OPS-52")},
			}},
			{text: "Metrics go to StatsD.", said: []saying{
				{37, "13:27", "agent", 4, file("internal/metrics/statsd.go", 1)},
				{25, "10:31", "ci", 3, file("deploy/vector.toml", 51)},
			}},
		}},
		{"tracing.sampling", memory.Decision, []value{
			{text: "Sample one trace in twenty, and every failed payment.", said: []saying{
				{58, "12:06", "planner", 3, file("docs/adr/0009-tracing.md", 18)},
			}},
		}},
		{"feature.flags", memory.Decision, []value{
			{text: "Flags are rows in `feature_flags`; no flag service.", said: []saying{
				{44, "10:36", "agent", 3, file("internal/flags/flags.go", 5)},
			}},
		}},
		{"http.client-timeout", memory.Convention, []value{
			{text: "Outgoing calls give up after 8 seconds.", said: []saying{
				{67, "16:08", "reviewer-bot", 3, file("internal/payment/client.go", 25)},
			}},
			{text: "Outgoing calls give up after 20 seconds.", said: []saying{
				{19, "09:57", "agent", 4, file("internal/payment/client.go", 25)},
			}},
		}},
		{"pdf.renderer", memory.Decision, []value{
			{text: "Invoices are rendered with headless Chromium.", said: []saying{
				{80, "13:12", "agent", 4, file("internal/pdf/chromium.go", 14)},
			}},
			{text: "发票 PDF 改用 Typst 渲染。", said: []saying{
				{43, "08:57", "agent", 4, file("internal/pdf/typst.go", 2)},
			}},
		}},
		{"queue.engine", memory.Decision, []value{
			{text: "Jobs wait in a table of the database; no broker.", said: []saying{
				{94, "11:28", "planner", 4, file("db/migrations/0006_jobs.sql", 1)},
			}},
			{text: "Jobs go through NATS.", said: []saying{
				{17, "10:03", "agent", 4, ticket("BILL-170")},
				{9, "14:46", "agent", 3, file("internal/queue/nats.go", 1)},
			}},
		}},
		{"refunds.approval", memory.Decision, []value{
			{text: "退款超过五千元须两人审批。", said: []saying{
				{22, "08:33", "user", 4, file("docs/退款流程.md", 30)},
				{11, "09:15", "agent", 3, file("internal/refund/approve.go", 48)},
			}},
		}},
		{"dunning.schedule", memory.Decision, []value{
			{text: "Dunning mails go out on days 3, 7 and 14.", said: []saying{
				{28, "15:13", "planner", 4, ticket("BILL-161")},
				{14, "10:47", "agent", 3, file("internal/dunning/plan.go", 8)},
			}},
		}},
		{"fx.rates-source", memory.Decision, []value{
			{text: "Exchange rates are the ECB's of the day before.", said: []saying{
				{13, "11:41", "agent", 4, page("https://data.ecb.europa.eu")},
				{6, "09:36", "user", 3, ticket("BILL-176")},
			}},
		}},
	}
}
