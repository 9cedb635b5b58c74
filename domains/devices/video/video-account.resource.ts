import {
  defineResource,
  enabledField,
  f,
  allowPrivateNetworkField,
  nameField,
  remarkField,
  SERVER_URL_FORMAT,
} from '#kit/resource/index.ts'

const place = { zh: '平台', en: 'Platform' }
const keys = { zh: '登录', en: 'Sign-in' }
const found = { zh: '运行情况', en: 'Operation' }

/** A tenant's account at a video platform (WVP with its media server), to which its cameras are connected. */
export const videoAccount = defineResource({
  name: 'videoAccount',
  path: '/api/shop/videoAccount',
  label: { zh: '视频平台', en: 'Video platform' },
  tenancy: 'tenant',
  menu: { under: 'resource', path: '/resource/videoAccount', icon: 'video-camera', sort: 30 },
  title: 'name',
  fields: {
    name: nameField({ required: true, group: place }),
    endpoint: f.text({
      label: { zh: '接口地址', en: 'API address' },
      required: true,
      max: 255,
      ...SERVER_URL_FORMAT,
      sample: 'https://wvp.example.com',
      group: place,
      width: 220,
    }),
    generation: f.dict('video_generation', {
      label: { zh: '版本', en: 'Version' },
      required: true,
      default: 'auto',
      group: place,
      width: 130,
    }),
    mediaBase: f.text({
      label: { zh: '媒体服务地址', en: 'Media server address' },
      max: 255,
      ...SERVER_URL_FORMAT,
      sample: 'https://media.example.com',
      help: {
        zh: '服务器取流的地址，留空按平台给出的',
        en: 'Address where this server reads streams. Leave blank to use the platform setting.',
      },
      group: place,
    }),
    rtspBase: f.text({
      label: { zh: 'RTSP 地址', en: 'RTSP address' },
      max: 255,
      pattern: '^rtsp:\\/\\/[^\\s\\/?#]+\\/?$',
      patternWords: {
        zh: '{label}应以 rtsp:// 开头，不带路径',
        en: '{label} must start with rtsp:// and have no path',
      },
      sample: 'rtsp://media.example.com',
      help: {
        zh: '喊话和对讲推送声音的地址，留空按平台给出的',
        en: 'Address that announcement and two-way audio is pushed to. Leave blank to use the platform setting.',
      },
      group: place,
    }),
    username: f.text({ label: { zh: '用户名', en: 'User name' }, max: 64, group: keys, width: 110 }),
    secretKey: f.password({
      label: { zh: '密码', en: 'Password' },
      max: 255,
      group: keys,
      help: { zh: '保存后不再显示', en: 'Not shown again after saving' },
    }),
    apiKey: f.password({
      label: { zh: '接口密钥', en: 'API key' },
      max: 2000,
      group: keys,
      help: {
        zh: '2.7.3 及以后可用，替代密码；保存后不再显示',
        en: 'Available from 2.7.3, replaces the password. Not shown again after saving.',
      },
    }),
    mayBeInside: allowPrivateNetworkField(),
    enabled: enabledField(),
    syncTime: f.datetime({
      label: { zh: '最近同步', en: 'Last synced' },
      form: 'hidden',
      systemUpdated: true,
      group: found,
      width: 160,
    }),
    cameras: f.number({
      label: { zh: '通道数', en: 'Channels' },
      form: 'hidden',
      systemUpdated: true,
      group: found,
      width: 90,
    }),
    failReason: f.text({
      label: { zh: '最近问题', en: 'Last error' },
      max: 300,
      form: 'hidden',
      systemUpdated: true,
      group: found,
      width: 220,
    }),
    remark: remarkField(),
  },
  list: { columns: ['name', 'endpoint', 'generation', 'enabled', 'cameras', 'failReason', 'syncTime'], time: false },
  unique: [['name']],
  buttons: { import: false },
  actions: {
    sync: { on: 'row', label: { zh: '同步通道', en: 'Sync channels' }, icon: 'sync' },
  },
})
