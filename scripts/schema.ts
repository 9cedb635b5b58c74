import { readdirSync, readFileSync } from 'node:fs'
import { sortedMigrationFiles, undecidedMigrationLines } from '../kit/server/database/migrate.ts'
import { jobTablesSql } from '../kit/server/jobs/index.ts'
import { createDatabaseStateSql } from '#kit/server/database/database-state.ts'
import { createNgramFunctionsSql } from '#kit/server/database/ngrams.ts'
import { tablesOfModules } from '#kit/server/database/module-tables.ts'
import { schemaOf, type Schema } from '#kit/server/database/schema.ts'
import { jwtKeyTablesSql } from '../kit/server/security/index.ts'
import { sharedTablesSql } from '../kit/server/shared/index.ts'
import { productModules } from '../apps/server/src/modules.ts'

/** The schema all declarations together want. */
export const wantedSchema = (): Schema => schemaOf(tablesOfModules(productModules))

/** Tables of the machinery, which no tenant owns: jobs, what processes share, signing keys. */
export const machinerySql = `${jobTablesSql.trim()}

${sharedTablesSql.trim()}

${jwtKeyTablesSql.trim()}

${createNgramFunctionsSql.trim()}

grant select, insert, update, delete on job, job_schedule, shared_entry, jwt_key to store_platform;
${createDatabaseStateSql.trim()}

grant usage on all sequences in schema public to store_platform, store_app;
-- Work is asked for inside a tenant's transaction: the store role may add jobs of its own tenant and see them, no more.
grant select, insert on job to store_app;
alter table job enable row level security;
create policy own_jobs on job to store_app using (tenant_id = current_setting('app.tenant', true))
  with check (tenant_id = current_setting('app.tenant', true));
create policy every_row on job to store_platform using (true) with check (true);
`

export const migrationsFolder = new URL('../migrations/', import.meta.url)

/** The migrations there are, in the order they are applied. */
export const migrationTexts = (): { name: string; text: string }[] =>
  sortedMigrationFiles(readdirSync(migrationsFolder)).map((name) => ({
    name,
    text: readFileSync(new URL(name, migrationsFolder), 'utf8'),
  }))

/** What migrations still ask somebody to decide, each with its file. */
export const questionsOfMigrations = (): string[] =>
  migrationTexts().flatMap(({ name, text }) =>
    undecidedMigrationLines(text).map((line) => `migrations/${name}: ${line}`),
  )
