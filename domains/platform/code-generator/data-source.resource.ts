import { defineResource, f, remarkField } from '#kit/resource/index.ts'
import { POSTGRES_DRIVER_CLASS } from './dictionaries.ts'

const place = { zh: '位置', en: 'Location' }
const account = { zh: '账号', en: 'Account' }

/**
 * An external database from which models are read. Host, port and name are separate fields: a JDBC URL could carry
 * driver parameters.
 */
export const dataSource = defineResource({
  name: 'datasource',
  path: '/api/blade-develop/datasource',
  table: 'data_source',
  label: { zh: '数据源', en: 'Data source' },
  tenancy: 'platform',
  menu: { under: 'tool', path: '/tool/datasource', icon: 'database', sort: 30 },
  title: 'name',
  fields: {
    name: f.text({ label: { zh: '名称', en: 'Name' }, required: true, max: 100, search: 'like', group: place }),
    driverClass: f.dict('datasource_kind', {
      label: { zh: '类型', en: 'Type' },
      required: true,
      search: 'eq',
      default: POSTGRES_DRIVER_CLASS,
      group: place,
      width: 150,
    }),
    host: f.text({
      label: { zh: '主机', en: 'Host' },
      required: true,
      width: 220,
      max: 253,
      group: place,
      pattern: '^[A-Za-z0-9:]([A-Za-z0-9.:-]*[A-Za-z0-9:])?$',
      patternWords: {
        zh: '{label}只填域名或 IP，不要填连接地址',
        en: '{label} must be a host name or IP address only, not a connection URL',
      },
      sample: 'erp.example.com',
      help: { zh: '域名或 IP，如 erp.example.com', en: 'Host name or IP address, for example, erp.example.com' },
    }),
    port: f.number({
      label: { zh: '端口', en: 'Port' },
      required: true,
      min: 1,
      max: 65_535,
      default: 5432,
      group: place,
      help: { zh: '只能连接管理员开放的端口', en: 'Only ports opened by the server administrator' },
    }),
    databaseName: f.text({
      label: { zh: '库名', en: 'Database' },
      required: true,
      max: 64,
      group: place,
      pattern: '^[\\p{L}\\p{N}_$][\\p{L}\\p{N}_$ .\\-]*$',
      patternWords: {
        zh: '{label}只填库的名称，不能带参数',
        en: '{label} must be the database name only, without parameters',
      },
      sample: 'erp',
    }),
    schemaName: f.text({
      label: { zh: '模式', en: 'Schema' },
      max: 63,
      group: place,
      pattern: '^[\\p{L}\\p{N}_$][\\p{L}\\p{N}_$ \\-]*$',
      patternWords: {
        zh: '{label}只填模式的名称，不能带参数',
        en: '{label} must be the schema name only, without parameters',
      },
      sample: 'public',
      help: { zh: '仅 PostgreSQL；留空为 public', en: 'PostgreSQL only. Leave blank for public.' },
    }),
    username: f.text({ label: { zh: '账号', en: 'Account' }, required: true, max: 100, group: account }),
    password: f.password({
      label: { zh: '密码', en: 'Password' },
      max: 255,
      group: account,
      help: { zh: '加密保存，保存后不再显示', en: 'Stored encrypted. Not shown again after saving.' },
    }),
    useTls: f.boolean({
      label: { zh: 'TLS 加密', en: 'TLS' },
      default: false,
      group: account,
      help: { zh: '校验对方证书', en: 'Verifies the certificate of the server' },
    }),
    testState: f.dict('datasource_state', {
      label: { zh: '连接状态', en: 'Connection' },
      form: 'hidden',
      search: 'eq',
    }),
    testTime: f.datetime({ label: { zh: '测试时间', en: 'Tested' }, form: 'hidden' }),
    testNote: f.text({ label: { zh: '测试结果', en: 'Test result' }, form: 'hidden', max: 500 }),
    url: f.text({ label: { zh: '连接', en: 'Connection' }, computed: true, form: 'hidden', detail: false }),
    remark: remarkField(),
  },
  list: {
    columns: ['name', 'testState', 'driverClass', 'host', 'databaseName', 'username', 'testTime', 'createTime'],
    time: false,
  },
  unique: [['name']],
  // No export or import: credentials of other databases must not end up in workbooks.
  buttons: { export: false, import: false },
  permissions: { test: { zh: '测试连接', en: 'Test connection' } },
})
