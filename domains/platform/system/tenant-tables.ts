import sql, { raw } from 'sql-template-tag'
import { fieldKindOf } from '#kit/fields/kinds.ts'
import { toSqlName, type Field } from '#kit/resource/index.ts'
import type { Db } from '#kit/server/database/db.ts'
import { tablesOfModules } from '#kit/server/mount/module-tables.ts'
import { defineTable } from '#kit/server/database/schema.ts'
import type { ModuleRegistry } from '#kit/server/module/module.ts'

/**
 * Rows a removal has deleted from each table so far. Its SQL functions, run as the schema's owner, may delete from
 * append-only logs and ledgers, but only for a tenant whose removal is in progress.
 */
export const tenantRemovedRowsTable = defineTable({
  name: 'tenant_removed_rows',
  tenancy: 'platform',
  primaryKey: ['removal_id', 'name'],
  columns: { removal_id: 'bigint not null', name: 'text not null', removed: 'bigint not null' },
  after: {
    'a removal that is under way': `create or replace function tenant_is_leaving(tenant text) returns void
language plpgsql stable set search_path = public, pg_temp as $$
begin
  if tenant = '000000' or not exists (select from tenant_removal where tenant_no = tenant and state = 'running') then
    raise exception 'no removal of tenant % is under way', tenant;
  end if;
end $$;`,
    'take rows': `create or replace function take_rows_of_tenant(part regclass, tenant text, most integer)
returns integer language plpgsql security definer set search_path = public, pg_temp as $$
declare taken integer;
begin
  perform tenant_is_leaving(tenant);
  execute format('delete from %1$s where ctid = any(array(select ctid from %1$s where tenant_id = $1 limit $2))', part)
    using tenant, most;
  get diagnostics taken = row_count;
  return taken;
end $$;
revoke all on function take_rows_of_tenant from public;
grant execute on function take_rows_of_tenant to store_platform;`,
    'count rows': `create or replace function count_rows_of_tenant(part regclass, tenant text) returns bigint
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare found bigint;
begin
  execute format('select count(*) from %s where tenant_id = $1', part) into found using tenant;
  return found;
end $$;
revoke all on function count_rows_of_tenant from public;
grant execute on function count_rows_of_tenant to store_platform;`,
    'words of the platform': `create or replace function platform_words(part regclass, field name) returns setof text
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query execute format(
    'select %1$I from %2$s where tenant_id = ''000000'' and %1$I ~ ''[0-9]{6}''', field, part);
end $$;
revoke all on function platform_words from public;
grant execute on function platform_words to store_platform;`,
    'blank words': `create or replace function blank_words_on_tenant
  (part regclass, field name, tenant text, words text[])
returns integer language plpgsql security definer set search_path = public, pg_temp as $$
declare blanked integer;
begin
  perform tenant_is_leaving(tenant);
  execute format(
    'update %1$s set %2$I = '''' where tenant_id = ''000000'' and %2$I ~ any($1)', part, field) using words;
  get diagnostics blanked = row_count;
  return blanked;
end $$;
revoke all on function blank_words_on_tenant from public;
grant execute on function blank_words_on_tenant to store_platform;`,
  },
})

/**
 * A table in the database: `part` holds the rows (a partition or the table itself), `name` is the whole table. Both are
 * quoted where needed.
 */
type Lying = { part: string; name: string }

/** Returns every table with a `tenant_id` in the database, declared or not; a partitioned table by its partitions. */
export const findTenantTables = (all: Db): Promise<Lying[]> =>
  all.query<Lying>(
    sql`select c.oid::regclass::text as part, coalesce(pg_partition_root(c.oid)::oid, c.oid)::regclass::text as name
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by 2, 1`,
  )

/** Returns the columns of logs that hold text of calls, by table. */
export const logTextColumnsByTable = (registry: ModuleRegistry): Map<string, string[]> =>
  new Map(
    [...registry.served.values()]
      .map(({ resource }) => resource)
      .filter(({ appendOnly, retentionDays, tenancy }) => appendOnly && retentionDays > 0 && tenancy === 'tenant')
      .map((resource) => [
        resource.table,
        Object.entries<Field>(resource.fields)
          .filter(([, field]) => fieldKindOf(field).readsAs === 'text' && !field.computed && !field.required)
          .map(([key]) => toSqlName(key)),
      ]),
  )

/** Returns those of the ids that belong to rows of the tenant. */
export async function filterIdsOfTenant(
  all: Db,
  registry: ModuleRegistry,
  tenantId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const own = new Set<string>()
  for (const { name, columns, tenancy } of tablesOfModules(registry.modules)) {
    if (tenancy === 'platform' || !columns.id?.startsWith('bigint')) continue
    const rows = await all.query<{ id: string }>(
      sql`select id::text from ${raw(`"${name}"`)} where tenant_id = ${tenantId} and id = any(${ids}::bigint[])`,
    )
    for (const { id } of rows) own.add(id)
  }
  return own
}
