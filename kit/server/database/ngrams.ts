import { toSqlName } from '../../resource/define-resource.ts'

/** Number of character pairs used to search a longer text; the hits are then compared with the whole text. */
const PAIRS_MAX = 24

/**
 * Substring search (docs/decisions/0043) by a GIN index over the character pairs and the last character of each text.
 * Pairs are cut by this function, so that neither an extension nor the server's locale decides what a letter is; they
 * start with the tenant, so that a search reads only entries of its tenant.
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
 * Size of GIN's pending list in KiB. Each search scans the list, but sorting every row in at once would cost a write
 * more than all other indexes together (docs/decisions/0043).
 */
export const PENDING_LIST_KIB = 256

/** Name of the SQL function that finds rows of a table by a part of this field. */
export const ngramFinderName = (table: string, key: string): string => `${table}_holding_${toSqlName(key)}`.slice(0, 60)

/**
 * SQL for the index and the function that searches it. The function runs with its owner's rights, as row-level security
 * does not let a text search use an index; it therefore checks the tenant itself. It returns ids only, at most `most`;
 * the caller reads those rows as usual. Other scan types are turned off, since a session keeps its first plan, which
 * may have been made for a small tenant.
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
