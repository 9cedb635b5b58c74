/**
 * Tests that `npm test` leaves out, each with the reason and the shorter tests that stand in for it. They run with `--
 * --all` and when named. Files that check everything are not listed: in the quick run they check a part by themselves
 * (`tests/support/whole.ts`).
 */
export const LONG_TESTS: Record<string, string> = {
  'apps/server/src/kill.test.ts': 'kills servers over and over; report-kill stands for it',
  'apps/server/src/approvals-of-all.test.ts':
    'holds every act of every resource; approvals-by-every-route stands for it',
  'apps/server/src/devices-servers.test.ts': 'servers that share devices end; device-trips and seat stand for it',
  'apps/server/src/devices-storm.test.ts': '240 devices at one server; admission and intake stand for it',
  'apps/server/src/export-kill.test.ts': 'kills servers over an export; report-kill stands for it',
  'apps/server/src/expressions.test.ts': 'measures every expression of the code; watchdog-outside stands for it',
  'apps/server/src/seed-once.test.ts': 'starts the product from nothing and after deaths; demo stands for it',
  'apps/server/src/hidden-everywhere.test.ts': 'asks every list twice for what is hidden; hidden stands for it',
  'apps/server/src/list-pages.test.ts': 'compares lists with plain statements; list-work and big-lists stand for it',
  'apps/server/src/approvals-kill.test.ts': 'kills servers; report-kill stands for it',
  'domains/insight/ai/ai-kill.test.ts': 'kills servers; report-kill stands for it',
  'domains/sales/ele/kill.test.ts': 'kills servers; report-kill stands for it',
  'domains/money/reconciliation/kill.test.ts':
    'kills servers over recharges, fees and money that goes back; back stands for it',
  'domains/sales/orders/money-kill.test.ts': 'kills servers at every step of a refund; money-that-meets stands for it',
  'domains/sales/orders/money-sequences.test.ts': 'random lives of orders; acts-in-any-order stands for it',
  'apps/server/src/workers.test.ts': 'several processes of one server; seat stands for it',
  'apps/server/src/devices-chaos.test.ts': 'devices among failing lines; device-trips and gateways stand for it',
  'apps/server/src/old-database.test.ts': 'takes over a database of years ago; migrate stands for it',
  'apps/server/src/watchdog.test.ts': 'measures how long calls hold the processor; watchdog-outside stands for it',
  'apps/server/src/demo/practice.test.ts': 'lives a whole day of a practice tenant; demo stands for it',
  'apps/database/backup/backup.test.ts': 'restores databases to moments; dump stands for it',
  'apps/database/embedded-postgres.test.ts': 'starts and kills databases; test-cluster stands for it',
  'scripts/recipes.test.ts': 'follows every recipe in a tree of its own; generated stands for what they write',
  'scripts/generate.test.ts': 'generates into a tree of its own; generated and merge-declaration stand for it',
}

/** Browser tests that stay in the quick run: one on a desktop, one on a phone, one of the kit. */
export const QUICK_JOURNEYS = [
  'tests/journeys/a-sale-comes-in.test.ts',
  'tests/journeys/devices-by-phone.test.ts',
  'tests/journeys/typed-work.test.ts',
]
