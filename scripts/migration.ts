// npm run migration -- "let orders remember their refund reason": writes the next migration from what the declarations changed.
// While nothing is released, `--first` writes migrations/0001-first.sql anew instead.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { proposeMigration, schemaSql, type Schema } from '../kit/server/schema.ts'
import { machinerySql, wantedSchema } from './schema.ts'

const folder = new URL('../migrations/', import.meta.url)
const snapshot = new URL('schema.json', folder)
const wanted = wantedSchema()
const args = process.argv.slice(2)
const files = readdirSync(folder).filter((name) => /^\d{4}-.*\.sql$/.test(name)).sort()
const isUnreleased = files.length <= 1

if (isUnreleased && !args.some((arg) => !arg.startsWith('--'))) {
  writeFileSync(new URL('0001-first.sql', folder), `-- The first schema, from the declarations of all rooms.\n\n${machinerySql}\n${schemaSql(wanted)}`)
  console.log('migrations/0001-first.sql written')
} else {
  const sentence = args.filter((arg) => !arg.startsWith('--')).join(' ').trim()
  const was = JSON.parse(readFileSync(snapshot, 'utf8')) as Schema
  const statements = proposeMigration(was, wanted)
  if (!statements.length) {
    console.log('The declarations want nothing new.')
    process.exit(0)
  }
  if (!sentence) {
    console.error('Say in a few words what the migration is for: npm run migration -- "let orders remember their refund reason"')
    process.exit(1)
  }
  const name = `${String(files.length + 1).padStart(4, '0')}-${sentence.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '')}.sql`
  writeFileSync(new URL(name, folder), `${statements.join('\n')}\n`)
  console.log(`migrations/${name} written: read it, then commit it`)
}
writeFileSync(snapshot, `${JSON.stringify(wanted, null, 1)}\n`)
