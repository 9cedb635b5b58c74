import { expect, test } from 'vitest'
import { defineResource, f } from '#kit/resource/index.ts'
import { NO_TRANSACTION_MARKER } from '#kit/server/database/migrate.ts'
import {
  proposeNoTransactionMigration,
  proposeMigration,
  schemaOf,
  tableOfResource,
} from '#kit/server/database/schema.ts'
import { lockFaults } from './locks.ts'
import { migrationTexts } from './schema.ts'

const NAME = '999901010000-tried'
const faultsOf = async (...statements: string[]) => {
  const isApart = statements[0] === NO_TRANSACTION_MARKER
  const name = `${NAME}${isApart ? '_apart' : ''}.sql`
  const faults = await lockFaults([{ name, text: `${statements.join('\n')}\n` }])
  return faults.map((fault) => fault.replace(/^\S+ /, ''))
}

test('no migration keeps people waiting on a table in use without saying why', async () => {
  expect(await lockFaults(migrationTexts())).toEqual([])
})

const HELD = [
  'create index on good (a);',
  'create index concurrently if not exists x on good (a);',
  'alter table good alter column a type bigint;',
  'alter table good alter column a set not null;',
  'alter table good add column b text not null;',
  'alter table good add column b uuid default gen_random_uuid();',
  'alter table good add column b bigint generated always as (a) stored;',
  'alter table good add column b bigserial;',
  'alter table good add column b bigint references shop;',
  'alter table good add column b text unique;',
  'alter table good add constraint c check (a > 0);',
  'alter table good add constraint c foreign key (a) references shop;',
  'alter table good add constraint c unique (a);',
  'alter table good validate constraint c;',
  'update good set a = 1;',
  'delete from good where a = 1;',
  'do $$ begin if true then update good set a = 1; end if; end $$;',
  'do $$ begin alter table good add constraint c check (a > 0); end $$;',
  'truncate good;',
  'lock table good;',
  'reindex table good;',
  'vacuum full good;',
  'cluster good;',
]
test.each(HELD)('a statement that holds a table while it looks at its rows is refused: %s', async (statement) => {
  expect(await faultsOf(statement)).toEqual([expect.stringMatching(/^"good": \w/)])
})

const PASSING: string[][] = [
  ['alter table good add column b text;'],
  ["alter table good add column b text not null default '';"],
  ['alter table good add column b timestamptz not null default now();'],
  ['alter table good add constraint c check (a > 0) not valid;'],
  ['alter table good drop column b;', 'drop index x;', 'insert into shop select 1;'],
  ['create table good (a int);', 'create index on good (a);', 'update good set a = 1;'],
  [NO_TRANSACTION_MARKER, 'create index concurrently x on good (a);'],
  [NO_TRANSACTION_MARKER, 'alter table good add constraint c primary key using index x;'],
  [NO_TRANSACTION_MARKER, 'alter table good validate constraint c;', 'alter table good alter column a set not null;'],
  [NO_TRANSACTION_MARKER, 'do $$ begin loop\n  update good set a = 1;\n  commit;\n  end loop; end $$;'],
  ['-- locks: ten rows of each tenant', 'update good set a = 1;'],
]
test.each(PASSING)('what is done in an instant, beside the others or with a reason passes: %s', async (...all) => {
  expect(await faultsOf(...all.filter((one) => typeof one === 'string'))).toEqual([])
})

test('a reason stands for the statement below it alone', async () => {
  expect(await faultsOf('-- locks: ten rows', 'update shop set a = 1;', 'update good set a = 1;')).toHaveLength(1)
})

test('what is proposed for a changed declaration keeps nobody waiting', async () => {
  const label = { zh: '名', en: 'Name' }
  const resourceOf = (more: object, rest: object = {}) =>
    schemaOf([
      tableOfResource({
        ...defineResource({
          name: 'sample',
          path: '/api/s',
          label,
          tenancy: 'tenant',
          fields: { name: f.text({ label }), ...more },
          list: { columns: ['name'] },
        }),
        ...rest,
      }),
    ])
  const was = resourceOf({ fee: f.money({ label }) }, { indexes: [['fee']] })
  const price = f.money({ label, required: true })
  const wanted = resourceOf({ fee: price, price }, { unique: [['name']], indexes: [['name', 'fee']] })
  const texts = [
    { name: `${NAME}.sql`, text: proposeMigration(was, wanted).join('\n') },
    {
      name: `${NAME}_apart.sql`,
      text: [NO_TRANSACTION_MARKER, ...proposeNoTransactionMigration(was, wanted)].join('\n'),
    },
  ]
  expect(texts[1]!.text).toMatch(/set not null[\s\S]*create unique index concurrently[\s\S]*validate constraint/)
  expect(await lockFaults(texts)).toEqual([])
})
