import {
  defineResource,
  f,
  allowPrivateNetworkField,
  REMARK_LABEL,
  objectSchema,
  booleanSchema,
} from '#kit/resource/index.ts'

export const oss = defineResource({
  name: 'oss',
  path: '/api/blade-resource/oss',
  tenancy: 'tenant',
  label: { zh: '对象存储', en: 'Storage provider' },
  menu: { under: 'resource', path: '/resource/oss', icon: 'cloud-server', sort: 1 },
  fields: {
    category: f.dict('oss', { label: { zh: '分类', en: 'Category' }, required: true, numeric: true, search: 'eq' }),
    ossCode: f.text({ label: { zh: '资源编号', en: 'Code' }, required: true, max: 32, search: 'like' }),
    endpoint: f.text({
      label: { zh: '资源地址', en: 'Endpoint' },
      required: true,
      max: 255,
      pattern: '^(https?:\\/\\/)?[^\\s\\/?#:]+(:\\d{1,5})?\\/?$',
      patternWords: {
        zh: '{label}应为域名或 IP，可带 http(s):// 和端口，不带路径',
        en: '{label} must be a host name or IP address, optionally with http(s):// and a port, without a path',
      },
      sample: 'https://store.example.com',
    }),
    mayBeInside: allowPrivateNetworkField(),
    bucketName: f.text({
      label: { zh: '空间名', en: 'Bucket' },
      required: true,
      max: 255,
      pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$',
      patternWords: {
        zh: '{label}以字母或数字开头，只含字母、数字、点、下划线和连字符',
        en: '{label} must start with a letter or digit and can contain only letters, digits, dots, _ and -',
      },
      sample: 'bucket',
    }),
    accessKey: f.text({ label: { zh: '访问密钥', en: 'Access key' }, required: true, max: 255, asked: false }),
    secretKey: f.password({ label: { zh: '加密密钥', en: 'Secret key' }, required: true, max: 255 }),
    appId: f.text({ label: { zh: '应用编号', en: 'App ID' }, max: 255 }),
    region: f.text({ label: { zh: '地域', en: 'Region' }, max: 100 }),
    status: f.dict('yes_no', { label: { zh: '是否启用', en: 'Active' }, numeric: true, form: 'hidden', default: 1 }),
    remark: f.text({ label: REMARK_LABEL }),
  },
  title: 'ossCode',
  list: {
    columns: ['category', 'ossCode', 'endpoint', 'status', 'bucketName', 'accessKey', 'createTime'],
    time: false,
  },
  row: { title: 'category', sub: ['bucketName'] },
  unique: [['ossCode']],
  actions: {
    enable: {
      on: 'row',
      label: { zh: '启用', en: 'Activate' },
      confirm: { zh: '启用这个配置？', en: 'Activate this provider?' },
      icon: 'check',
    },
    disable: {
      on: 'row',
      label: { zh: '停用', en: 'Deactivate' },
      confirm: { zh: '停用后新文件存入本机，要停用吗？', en: 'New files will be stored on this machine. Deactivate?' },
      enabled: { status: { eq: 2 } },
      icon: 'stop',
    },
    test: {
      on: 'row',
      label: { zh: '测试连接', en: 'Test connection' },
      answer: objectSchema({ success: booleanSchema }),
      icon: 'api',
      can: 'view',
    },
  },
})
