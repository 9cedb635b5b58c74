import { toSqlName } from '../../resource/define-resource.ts'

/** A longer text is looked for by so many of its pairs; what they find is looked through for all of it. */
const PAIRS_MAX = 24

/**
 * Texts found by any part of them (docs/decisions/0043): an index of the pairs of signs each of them holds, and the
 * last sign alone. The pairs are cut here, so that neither an extension nor the database's ctype has a say in what a
 * letter is, and begin with the tenant, so that nobody's search walks through another's rows.
 */
export const createNgramFunctionsSql = `
create function text_grams(tenant text, value text) returns tsvector
language plpgsql immutable strict parallel safe as $$
declare
  small text := lower(value);
  grams text[] := '{}';
begin
  for i in 1 .. length(small) loop grams := grams || (tenant || ':' || substr(small, i, 2)); end loop;
  return array_to_tsvector(grams);
end $$;

create function grams_asked(tenant text, part text) returns tsquery
language sql immutable strict parallel safe as $$
  select string_agg('''' || replace(replace(tenant || ':' || gram, '\\', '\\\\'), '''', '''''') || ''''
    || case when length(gram) = 1 then ':*' else '' end, ' & ')::tsquery
  from (
    select substr(small, i, 2) as gram
    from (select lower(part) as small) asked,
      generate_series(1, greatest(1, least(length(small) - 1, ${PAIRS_MAX}))) i
  ) pairs
$$;
`

/**
 * What a write leaves to be sorted into such an index, in KiB: every search walks through it, and sorting a row in at
 * once costs its writer more than all other indexes together (docs/decisions/0043).
 */
export const PENDING_LIST_KIB = 256

/** Name of the function that finds the rows of a table by part of one of their texts. */
export const ngramFinderName = (table: string, key: string): string => `${table}_holding_${toSqlName(key)}`.slice(0, 60)

/**
 * The index, and the function that asks it. It runs as who made it: behind a tenant's policy nothing that looks into a
 * text may choose rows on an index, so it says itself what the policy says. It gives ids alone, of as many rows as it
 * is asked for, and whoever asks reads those rows as all others. A session keeps the plan it made for its first tenant,
 * which may be a small one: so nothing is left to choose from but this index.
 */
export function ngramSearchSql(table: string, key: string, live: string): { index: string; finder: string } {
  const name = ngramFinderName(table, key)
  const grams = `text_grams(tenant_id, "${toSqlName(key)}")`
  return {
    index: `using gin (${grams})${live}`,
    finder: `create or replace function "${name}"(part text, most integer) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
  select id from public."${table}"${live || ' where true'} and tenant_id || '' = current_setting('app.tenant', true)
    and ${grams} @@ grams_asked(current_setting('app.tenant', true), part)
    and strpos(lower("${toSqlName(key)}"), (select lower(part))) > 0
  limit most
$$;
revoke all on function "${name}" from public;
grant execute on function "${name}" to store_app, store_platform;`,
  }
}
