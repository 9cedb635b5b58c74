import { defineResource, f } from '#kit/resource/index.ts'

const basics = { zh: '基础信息', en: 'Basic information' }
const person = { zh: '详细信息', en: 'Details' }
const duties = { zh: '职责信息', en: 'Responsibilities' }

export const user = defineResource({
  name: 'user',
  path: '/api/blade-user',
  table: 'sys_user',
  tenancy: 'tenant',
  ownFields: false,
  label: { zh: '用户', en: 'User' },
  menu: { under: 'system', path: '/system/user', icon: 'user', sort: 1 },
  fields: {
    account: f.text({
      label: { zh: '登录账号', en: 'Sign-in account' },
      required: true,
      max: 45,
      search: 'like',
      group: basics,
      pattern: '^[^\\s,/]+$',
      patternWords: { zh: '{label}不能含空格、逗号和斜杠', en: '{label} cannot contain spaces, commas or slashes' },
      sample: 'account',
      listedOnly: true,
    }),
    password: f.password({
      label: { zh: '密码', en: 'Password' },
      max: 64,
      form: 'add',
      group: basics,
      help: {
        zh: '留空则生成初始密码，保存后显示一次',
        en: 'Leave blank to generate an initial password, shown once after saving',
      },
    }),
    userType: f.dict('user_type', {
      label: { zh: '用户平台', en: 'Platform' },
      required: true,
      numeric: true,
      default: 1,
      search: 'eq',
      group: basics,
    }),
    status: f.dict('user_status', {
      label: { zh: '状态', en: 'Status' },
      numeric: true,
      default: 1,
      search: 'eq',
      group: basics,
    }),
    name: f.text({ label: { zh: '用户昵称', en: 'Nickname' }, required: true, max: 45, group: person }),
    realName: f.text({
      label: { zh: '用户姓名', en: 'Full name' },
      required: true,
      max: 45,
      search: 'like',
      group: person,
    }),
    avatar: f.picture({
      label: { zh: '头像', en: 'Avatar' },
      maxKb: 500,
      accept: ['image/jpeg', 'image/png'],
      group: person,
    }),
    phone: f.phone({
      label: { zh: '手机号码', en: 'Phone' },
      mask: 'phone',
      unmaskedFor: 'edit',
      search: 'like',
      group: person,
    }),
    email: f.email({ label: { zh: '电子邮箱', en: 'Email' }, group: person }),
    sex: f.dict('sex', { label: { zh: '用户性别', en: 'Gender' }, numeric: true, group: person }),
    birthday: f.datetime({ label: { zh: '用户生日', en: 'Birthday' }, asDay: true, group: person }),
    code: f.text({ label: { zh: '用户编号', en: 'Employee no.' }, max: 45, group: duties, sample: 'N' }),
    roleId: f.refs('role', { onRemoval: 'refuse', label: { zh: '所属角色', en: 'Roles' }, group: duties }),
    deptId: f.refs('dept', { onRemoval: 'refuse', label: { zh: '所属部门', en: 'Departments' }, group: duties }),
    lastLoginTime: f.datetime({
      systemUpdated: true,
      label: { zh: '上次登录', en: 'Last sign-in' },
      form: 'hidden',
      search: 'range',
      group: duties,
      emptyLabel: { zh: '从未登录', en: 'Never' },
    }),
    lastLoginIp: f.text({
      systemUpdated: true,
      label: { zh: '上次登录地址', en: 'Last sign-in address' },
      form: 'hidden',
      max: 64,
      group: duties,
    }),
    // Set by somebody else, or too old: the user can do nothing before changing it.
    mustChangePassword: f.boolean({
      label: { zh: '要修改密码', en: 'Must change password' },
      form: 'hidden',
      secret: true,
      detail: false,
    }),
    passwordTime: f.datetime({
      label: { zh: '密码修改时间', en: 'Password changed' },
      form: 'hidden',
      secret: true,
      detail: false,
    }),
    postId: f.refs('post', { onRemoval: 'refuse', label: { zh: '所属岗位', en: 'Positions' }, group: duties }),
    ownShops: f.boolean({
      label: { zh: '只看所属门店', en: 'Own stores only' },
      group: duties,
      help: {
        zh: '只看得到自己任店主、店员或绑定微信的门店；管理员不受限制',
        en: 'Only sees stores where the user is owner, staff or linked by WeChat. Administrators are not limited.',
      },
    }),
  },
  title: 'realName',
  titleCode: 'account',
  list: {
    columns: [
      'account',
      'tenantId',
      'realName',
      'roleId',
      'deptId',
      'userType',
      'status',
      'lastLoginTime',
      'createTime',
    ],
    time: false,
  },
  unique: [['account']],
  // Export and import of users have their own routes.
  buttons: { export: false, import: false },
  permissions: {
    role: { zh: '角色配置', en: 'Assign roles' },
    reset: { zh: '密码重置', en: 'Reset password' },
    unlock: { zh: '账号解封', en: 'Unlock' },
    import: { zh: '导入', en: 'Import' },
    export: { zh: '导出', en: 'Export' },
  },
})
