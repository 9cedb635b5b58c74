// npm run migration -- "let orders remember their refund reason": writes the next migration from the changes of the
// declarations.
// Before the first release, without a sentence, it writes migrations/0001-first.sql anew.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { NO_TRANSACTION_MARKER, sortedMigrationFiles, undecidedMigrationLines } from '#kit/server/database/migrate.ts'
import { proposeNoTransactionMigration, proposeMigration, schemaSql, type Schema } from '#kit/server/database/schema.ts'
import { lockFaults } from './locks.ts'
import { machinerySql, migrationTexts, migrationsFolder, questionsOfMigrations, wantedSchema } from './schema.ts'

const folder = migrationsFolder
const snapshot = new URL('schema.json', folder)
const wanted = wantedSchema()
const args = process.argv.slice(2)
const sentence = args
  .filter((arg) => !arg.startsWith('--'))
  .join(' ')
  .trim()
const files = sortedMigrationFiles(readdirSync(folder))
const isUnreleased = files.length <= 1

const undecided = questionsOfMigrations()
if (undecided.length)
  refuse(`Somebody has to decide first; write what is to be done in place of each line:\n${undecided.join('\n')}`)

if (isUnreleased && !sentence) {
  writeFileSync(
    new URL('0001-first.sql', folder),
    `-- The first schema, from the declarations of all modules.\n\n${machinerySql}\n${schemaSql(wanted)}`,
  )
  console.log('migrations/0001-first.sql written')
} else {
  const was = JSON.parse(readFileSync(snapshot, 'utf8')) as Schema
  const statements = proposeMigration(was, wanted)
  const apart = proposeNoTransactionMigration(was, wanted)
  if (!statements.length && !apart.length) {
    console.log('The declarations want nothing new.')
    process.exit(0)
  }
  if (!sentence)
    refuse(
      'Say in a few words what the migration is for: npm run migration -- "let orders remember their refund reason"',
    )
  const text = `${statements.join('\n')}\n`
  const name = `${new Date().toISOString().slice(0, 16).replace(/\D/g, '')}-${sentence
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')}`
  const write = (file: string, sql: string) => {
    writeFileSync(new URL(file, folder), sql)
    console.log(`migrations/${file} written: read it, then commit it`)
  }
  if (statements.length) write(`${name}.sql`, text)
  // Sorts after the other file, whose tables and columns it uses.
  if (apart.length) write(`${name}_apart.sql`, `${[NO_TRANSACTION_MARKER, ...apart].join('\n')}\n`)
  const questions = undecidedMigrationLines(text)
  if (questions.length)
    console.log(`It asks what only a person can decide, and does not apply before that:\n${questions.join('\n')}`)
}
const held = await lockFaults(migrationTexts())
if (held.length)
  console.log(
    `It would keep people waiting; write it otherwise, or above the statement "-- locks: why":\n${held.join('\n')}`,
  )
writeFileSync(snapshot, `${JSON.stringify(wanted, null, 1)}\n`)

function refuse(why: string): never {
  console.error(why)
  process.exit(1)
}
