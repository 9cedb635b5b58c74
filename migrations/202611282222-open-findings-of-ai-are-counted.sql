alter table "ai_finding" add column "count" integer;
alter table "ai_finding" add column "first_time" timestamptz(3);
alter table "ai_finding" add column "last_time" timestamptz(3);
alter table "ai_finding" add column "open_key" text;
-- Of what is open of one kind at one place, the newest row stays and counts the others, which go.
-- locks: what models found is written by runs, few in a minute, which wait
with place as (
  select f.id, f.tenant_id, f.create_time, concat_ws('/', coalesce(f.shop_id::text, ''), coalesce(l.target_type,
    t.target_type, ''), coalesce(l.target_id, split_part(f.subject, '/', 3), ''), coalesce(f.type, ''),
    coalesce(f.upc, '')) as key
  from "ai_finding" f left join "ai_task_log" l on l.tenant_id = f.tenant_id and l.id = f.log_id
    left join "ai_task" t on t.tenant_id = f.tenant_id and t.id = f.task_id
  where f.verdict = 'open'
), known as (
  select tenant_id, key, max(id) as id, count(*)::int as n, min(create_time) as first, max(create_time) as last
  from place group by tenant_id, key
)
update "ai_finding" f set open_key = k.key, "count" = k.n, first_time = k.first, last_time = k.last
from known k where f.tenant_id = k.tenant_id and f.id = k.id;
-- locks: as above
delete from "ai_finding" where verdict = 'open' and open_key is null;
-- locks: as above
update "ai_finding" set "count" = 1, first_time = create_time, last_time = create_time where last_time is null;
