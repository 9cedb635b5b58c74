-- Nobody chose what every installation began with; who wants it says so again.
-- locks: one row, which the platform changes by hand now and then
update "sys_param" set param_value = 'random', version = version + 1,
  remark = '新增、导入和重置密码时使用；random 为每个账号随机生成，仅显示一次，也可填所有账号共用的固定密码'
  where param_key = 'account.initPassword' and param_value = '123456' and update_user is null;
