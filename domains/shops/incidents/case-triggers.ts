import { AUTO_RECOVERED_TEXT } from '#domains/shops/shop-events/api.ts'
import type { EventType } from '#domains/shops/shop-events/index.ts'
import { defineTable } from '#kit/server/database/schema.ts'
import { GUARD_CASE_STATE, AUTOMATIC_CASE_OUTCOME } from './dictionaries.ts'

/** Events below this level, and these types about goods and programs, become no case: they can wait for the morning. */
const LEAST_LEVEL = 2
const NEXT_MORNING_TYPES: readonly EventType[] = ['lowStock', 'expiring', 'tagBatteryLow', 'tagsLost', 'rolloutStopped']

/**
 * SQL that opens a case for a row. The case has the row's id, so further changes of the row affect the same case; a
 * closed one is opened again.
 */
const openCase = (
  columns: string,
  values: string,
) => `insert into guard_case (id, tenant_id, shop_id, status, came_time,
      create_time, ${columns})
    select new.id, new.tenant_id, new.shop_id, ${GUARD_CASE_STATE.waiting}, m.moment, m.moment, ${values}
    from (select case when tg_op = 'INSERT' then new.create_time else now() end as moment) m
    on conflict (tenant_id, id) do update set status = ${
      GUARD_CASE_STATE.waiting
    }, level = excluded.level, came_time = now(),
      taker_id = null, take_time = null, first_time = null, end_time = null, outcome = null, remark = null,
      update_time = now(), version = guard_case.version + 1
    where guard_case.status >= ${GUARD_CASE_STATE.done};`

const endCase = (set: string) => `update guard_case set ${set}, update_time = now(), version = version + 1
    where tenant_id = new.tenant_id and id = new.id and status < ${GUARD_CASE_STATE.done};`

const RESOLVED_BY_ITSELF = `status = ${GUARD_CASE_STATE.itself}, outcome = '${
  AUTOMATIC_CASE_OUTCOME.itself
}', end_time = now()`

/**
 * SQL condition that a person ended the event: handler, and a new time or remark. Automatic recovery sets neither, or
 * the system's own text.
 */
const BY_PERSON = `new.handler is not null and (new.handle_time is distinct from old.handle_time
      or (new.handle_remark is distinct from old.handle_remark and new.handle_remark <> '${AUTO_RECOVERED_TEXT}'))`

const eventSql = `
create or replace function guard_follows_event() returns trigger language plpgsql as $$
begin
  if new.level < ${LEAST_LEVEL} or new.type in (${NEXT_MORNING_TYPES.map((type) => `'${type}'`).join(', ')}) then
    return null;
  end if;
  if new.status = 0 and (tg_op = 'INSERT' or old.status <> 0 or old.level < ${LEAST_LEVEL}) then
    ${openCase(
      'kind, level, event_id, visit_id',
      `new.type, new.level, new.id, substring(new.subject from '^visit/([0-9]{1,18})$')::bigint`,
    )}
    update guard_case c set wx_user_id = v.wx_user_id from customer_visit_log v
      where c.tenant_id = new.tenant_id and c.id = new.id and v.tenant_id = c.tenant_id and v.id = c.visit_id;
  elsif tg_op = 'UPDATE' then
    if new.level <> old.level then
      update guard_case set level = new.level where tenant_id = new.tenant_id and id = new.id;
    end if;
    if new.status = 1 and old.status <> 1 and new.handler is not null then
      update guard_case set status = ${GUARD_CASE_STATE.taken}, taker_id = new.handler, take_time = now(),
        first_time = coalesce(first_time, now()), update_time = now(), version = version + 1
        where tenant_id = new.tenant_id and id = new.id and status = ${GUARD_CASE_STATE.waiting};
    elsif new.status = 2 and old.status <> 2 then
      if ${BY_PERSON} then
        ${endCase(`status = ${GUARD_CASE_STATE.done}, outcome = '${AUTOMATIC_CASE_OUTCOME.elsewhere}', end_time = now(),
          first_time = coalesce(first_time, now()), taker_id = coalesce(taker_id, new.handler),
          remark = left(new.handle_remark, 500)`)}
      else
        ${endCase(RESOLVED_BY_ITSELF)}
      end if;
    end if;
  end if;
  return null;
end $$;
drop trigger if exists guard_follows_event on shop_event;
create trigger guard_follows_event after insert on shop_event for each row execute function guard_follows_event();
drop trigger if exists guard_follows_handled_event on shop_event;
create trigger guard_follows_handled_event after update on shop_event for each row
  when (old.status is distinct from new.status or old.level is distinct from new.level)
  execute function guard_follows_event();`

/** Trigger that opens a case for a suspicious visit; an unpaid one raises an event, which becomes a case. */
const visitSql = `
create or replace function guard_follows_visit() returns trigger language plpgsql as $$
begin
  if new.result = 'suspicious' then
    ${openCase('kind, level, visit_id, wx_user_id', `'suspicious', ${LEAST_LEVEL}, new.id, new.wx_user_id`)}
  else
    ${endCase(RESOLVED_BY_ITSELF)}
  end if;
  return null;
end $$;
drop trigger if exists guard_follows_visit on customer_visit_log;
create trigger guard_follows_visit after insert on customer_visit_log for each row
  when (new.result = 'suspicious') execute function guard_follows_visit();
drop trigger if exists guard_follows_result on customer_visit_log;
create trigger guard_follows_result after update on customer_visit_log for each row
  when (old.result is distinct from new.result and (new.result = 'suspicious' or old.result = 'suspicious'))
  execute function guard_follows_visit();`

const refundSql = `
create or replace function guard_follows_refund() returns trigger language plpgsql as $$
begin
  if new.status = 0 then
    ${openCase('kind, level, refund_id, wx_user_id', `'refund', 1, new.id, new.wx_user_id`)}
  else
    ${endCase(`status = ${GUARD_CASE_STATE.done}, end_time = now(), first_time = coalesce(first_time, now()),
      outcome = case when new.status = 5 then '${AUTOMATIC_CASE_OUTCOME.rejected}' else '${
        AUTOMATIC_CASE_OUTCOME.approved
      }' end,
      taker_id = coalesce(taker_id, new.second_user, new.audit_user), remark = left(new.audit_remark, 500)`)}
  end if;
  return null;
end $$;
drop trigger if exists guard_follows_refund on refunds;
create trigger guard_follows_refund after insert on refunds for each row
  when (new.status = 0) execute function guard_follows_refund();
drop trigger if exists guard_follows_decision on refunds;
create trigger guard_follows_decision after update on refunds for each row
  when (old.status is distinct from new.status and (new.status = 0 or old.status = 0))
  execute function guard_follows_refund();`

/**
 * Log of what people did on a case. The cases themselves follow their events, visits and refunds by database trigger,
 * as these are written in many places: none is missed, and a case ends in the same transaction as its cause.
 */
export const caseActionTable = defineTable({
  name: 'guard_deed',
  tenancy: 'tenant',
  appendOnly: true,
  retentionDays: 30,
  columns: {
    id: 'bigint not null',
    tenant_id: 'text not null',
    case_id: 'bigint not null',
    kind: 'text not null',
    user_id: 'bigint not null',
    to_user: 'bigint',
    note: 'text',
    command_id: 'bigint',
    create_time: 'timestamptz(3) not null default now()',
  },
  indexes: {
    guard_deed_by_case_id: '(tenant_id, case_id, id)',
    guard_deed_by_user_id: '(tenant_id, user_id, create_time)',
    guard_deed_by_create_time: '(create_time)',
  },
  after: { follow_event: eventSql, follow_visit: visitSql, follow_refund: refundSql },
})
