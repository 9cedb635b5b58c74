import sql from 'sql-template-tag'

/**
 * SQL function that reports the state of the database server. Runs with its owner's rights, as the application's roles
 * may not see other sessions; it returns counts and sizes only, no statements.
 */
export const createDatabaseStateSql = `
create or replace function database_state() returns jsonb
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  select jsonb_build_object(
    'version', current_setting('server_version'),
    'bytes', pg_database_size(current_database()),
    'connectionsMax', current_setting('max_connections')::integer,
    'connections', (select coalesce(jsonb_object_agg(state, n), '{}') from (
      select coalesce(state, 'hidden') as state, count(*) as n from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' group by 1) s),
    'oldestSeconds', (select coalesce(extract(epoch from clock_timestamp() - min(xact_start)), 0)
      from pg_stat_activity where datname = current_database() and backend_type = 'client backend'
        and pid <> pg_backend_pid()),
    'waitingForLocks', (select count(*) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'),
    'standbys', (select coalesce(jsonb_agg(jsonb_build_object('name', application_name, 'state', state,
      'sync', sync_state, 'behindBytes', pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn))), '[]')
      from pg_stat_replication))
$$;
revoke all on function database_state() from public;
grant execute on function database_state() to store_platform;
`

export const selectDatabaseStateSql = sql`select database_state() as state`
