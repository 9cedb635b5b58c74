import sql from 'sql-template-tag'

/**
 * Counts waiting and running jobs and those that failed within a day, by queue, over all tenants; for connections that
 * may see all of them. Of the latest failure only the error's name, as its message may contain a tenant's data.
 */
export const queueStatsSql = sql`
  select queue,
    count(*) filter (where state = 'asked' and run_at <= clock_timestamp())::int as due,
    count(*) filter (where state = 'asked' and run_at > clock_timestamp())::int as later,
    count(*) filter (where state = 'running')::int as running,
    count(*) filter (where state = 'failed')::int as failed,
    coalesce(extract(epoch from clock_timestamp()
      - min(run_at) filter (where state = 'asked' and run_at <= clock_timestamp())), 0)::float8 as "oldestSeconds",
    coalesce((array_agg(substring(last_error from '^(\\w{1,60}):') order by finish_time desc)
      filter (where state = 'failed'))[1], '') as failure
  from (
    select queue, state, run_at, last_error, finish_time from job where state = 'asked'
    union all select queue, state, run_at, '', null from job where state = 'running'
    union all select queue, state, run_at, last_error, finish_time from job
      where state = 'failed' and finish_time > clock_timestamp() - interval '1 day'
  ) hand
  group by queue order by queue`
