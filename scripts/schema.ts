import { readdirSync, readFileSync } from 'node:fs'
import { sortedMigrationFiles, undecidedMigrationLines } from '../kit/server/database/migrate.ts'
import { jobTablesSql } from '../kit/server/jobs/index.ts'
import { createDatabaseStateSql } from '#kit/server/database/database-state.ts'
import { createNgramFunctionsSql } from '#kit/server/database/ngrams.ts'
import { tablesOfModules } from '#kit/server/mount/module-tables.ts'
import { schemaOf, type Schema } from '#kit/server/database/schema.ts'
import { jwtKeyTablesSql } from '../kit/server/security/index.ts'
import { sharedTablesSql } from '../kit/server/shared/index.ts'
import { productModules } from '../apps/server/src/modules.ts'

/** The schema that all declarations together require. */
export const wantedSchema = (): Schema => schemaOf(tablesOfModules(productModules))

/** SQL of the tables that belong to no tenant (jobs, shared entries, signing keys), with their grants and functions. */
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

/** Returns the migrations in the order they are applied. */
export const migrationTexts = (): { name: string; text: string }[] =>
  sortedMigrationFiles(readdirSync(migrationsFolder)).map((name) => ({
    name,
    text: readFileSync(new URL(name, migrationsFolder), 'utf8'),
  }))

/** Returns the lines of migrations in which a person still has a decision to write, each with its file. */
export const questionsOfMigrations = (): string[] =>
  migrationTexts().flatMap(({ name, text }) =>
    undecidedMigrationLines(text).map((line) => `migrations/${name}: ${line}`),
  )
