import {
  defineResource,
  f,
  allowPrivateNetworkField,
  nameField,
  REMARK_LABEL,
  SERVER_URL_FORMAT,
} from '#kit/resource/index.ts'

const voice = (zh: string, en: string) =>
  f.text({
    label: { zh, en },
    max: 64,
    pattern: '^[\\w+.-]+$',
    patternWords: {
      zh: '{label}只能含字母、数字、下划线、点、加号和连字符',
      en: '{label} can contain only letters, digits, _, dots, + and -',
    },
    sample: 'xiaoyun',
    help: { zh: '引擎的音色名称，留空使用默认', en: 'Voice name of the engine. Leave blank to use the default.' },
  })

/** A tenant's account at a text-to-speech engine. Only one is enabled at a time. */
export const speechEngine = defineResource({
  name: 'speechEngine',
  path: '/api/shop/speechEngine',
  tenancy: 'tenant',
  label: { zh: '语音引擎', en: 'Text-to-speech engine' },
  menu: { under: 'resource', path: '/resource/speechEngine', icon: 'sound', sort: 5 },
  fields: {
    name: nameField({ required: true }),
    category: f.dict('speech_engine', {
      label: { zh: '引擎', en: 'Engine' },
      required: true,
      default: 'aliyun',
      search: 'eq',
      width: 150,
    }),
    appKey: f.text({
      label: { zh: '项目密钥', en: 'App key' },
      requiredWhen: { category: { eq: 'aliyun' } },
      max: 255,
      help: { zh: '阿里云智能语音项目的 appkey', en: 'The appkey of an Alibaba Cloud intelligent speech project' },
    }),
    accessKey: f.text({
      label: { zh: '访问密钥', en: 'Access key' },
      requiredWhen: { category: { in: ['aliyun', 'tencent'] } },
      max: 255,
    }),
    secretKey: f.password({
      label: { zh: '加密密钥', en: 'Secret key' },
      requiredWhen: { category: { in: ['aliyun', 'tencent', 'azure'] } },
      max: 255,
      help: { zh: 'Azure 填写订阅密钥', en: 'For Azure, enter the subscription key' },
    }),
    region: f.text({
      label: { zh: '地域', en: 'Region' },
      requiredWhen: { category: { eq: 'azure' }, endpoint: { eq: '' } },
      max: 64,
      pattern: '^[a-z0-9-]+$',
      patternWords: {
        zh: '{label}只能含小写字母、数字和连字符，如 cn-shanghai',
        en: '{label} can contain only lowercase letters, digits and -, for example, cn-shanghai',
      },
      sample: 'cn-shanghai',
    }),
    endpoint: f.text({
      label: { zh: '接口地址', en: 'Endpoint' },
      max: 255,
      ...SERVER_URL_FORMAT,
      sample: 'https://speech.example.com',
      help: { zh: '留空使用服务商地址', en: 'Leave blank to use the provider address' },
    }),
    mayBeInside: allowPrivateNetworkField(),
    femaleVoice: voice('女声', 'Female voice'),
    maleVoice: voice('男声', 'Male voice'),
    childVoice: voice('童声', 'Child voice'),
    status: f.dict('yes_no', { label: { zh: '是否启用', en: 'Active' }, numeric: true, form: 'hidden', default: 1 }),
    remark: f.text({ label: REMARK_LABEL }),
  },
  title: 'name',
  list: { columns: ['name', 'status', 'category', 'region', 'endpoint', 'createTime'], time: false },
  unique: [['name']],
  actions: {
    enable: {
      on: 'row',
      label: { zh: '启用', en: 'Activate' },
      confirm: { zh: '启用这个引擎？', en: 'Activate this engine?' },
      icon: 'check',
    },
    disable: {
      on: 'row',
      label: { zh: '停用', en: 'Deactivate' },
      confirm: {
        zh: '停用这个引擎？停用后不再由它合成语音',
        en: 'Deactivate this engine? It no longer generates announcements.',
      },
      enabled: { status: { eq: 2 } },
      icon: 'stop',
    },
  },
})
