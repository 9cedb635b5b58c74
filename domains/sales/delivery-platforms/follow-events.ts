import { defineQueue } from '#kit/server/jobs/index.ts'

export const safetyQueue = defineQueue('platform.safety')
const QUEUE = safetyQueue.name

/**
 * Trigger: checks at once whether a shop at a platform is safe when an event in it is raised or resolved. In the
 * database, because many functions do that.
 */
export const shopSafetyTriggerSql = `
create or replace function follow_events_there() returns trigger language plpgsql as $$
begin
  if exists (select 1 from ele_shop_info p where p.tenant_id = new.tenant_id and p.shop_id = new.shop_id
      and p.platform_shop_id is not null)
    or exists (select 1 from meituan_shop_info p where p.tenant_id = new.tenant_id and p.shop_id = new.shop_id
      and p.platform_shop_id is not null) then
    insert into job (tenant_id, queue, payload, dedupe_key, run_at, max_attempts)
      values (new.tenant_id, '${QUEUE}', '{}', new.id || case when new.open_key is null then '/over' else '' end,
        clock_timestamp(), 10)
      on conflict (queue, tenant_id, dedupe_key) where state in ('asked', 'running') do nothing;
    perform pg_notify('job', '${QUEUE}');
  end if;
  return null;
end $$;
drop trigger if exists follow_events_there on shop_event;
create trigger follow_events_there after insert on shop_event for each row execute function follow_events_there();
drop trigger if exists follow_solved_there on shop_event;
create trigger follow_solved_there after update on shop_event for each row
  when (old.open_key is distinct from new.open_key) execute function follow_events_there();`
