alter table "sys_role" add column "own_shops" boolean;
alter table "sys_user" add column "own_shops" boolean;

-- What the alias of a role said until now is said of the role, and of everybody who holds it.
update sys_role set own_shops = role_alias in ('boss', 'clerk');
update sys_user u set own_shops = exists (
  select 1 from sys_role r where r.tenant_id = u.tenant_id and r.id = any(u.role_id) and r.is_deleted = 0 and r.own_shops);

-- The administrators of tenants that look after their own roles get the page of those roles' data scopes; a start makes its menu anew.
insert into role_menu (tenant_id, role_id, menu_id)
select r.tenant_id, r.id, m.id from sys_role r
join role_menu g on g.tenant_id = r.tenant_id and g.role_id = r.id
join menu held on held.id = g.menu_id and held.code = 'role_grant' and held.is_deleted = 0
join menu m on m.is_deleted = 0 and m.code ~ '^data_scope(_|$)'
where r.role_alias = 'admin' and r.tenant_id <> '000000' and r.is_deleted = 0
on conflict do nothing;
update sys_param set param_value = replace(param_value, ',role,', ',role,data_scope,')
where param_key = 'tenant.default.menuCode' and param_value not like '%data_scope%';
