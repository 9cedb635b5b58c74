import { shopIdField } from '#domains/shops/shops/index.ts'
import { defineResource, f, remarkField } from '#kit/resource/index.ts'

const facts = { zh: '摄像头', en: 'Camera' }
const channel = { zh: '平台上的通道', en: 'Platform channel' }
const picture = { zh: '画面', en: 'Video' }
const clock = { zh: '时钟', en: 'Clock' }

const code = { max: 20, form: 'read', group: channel, width: 190 } as const

/**
 * A camera: a channel of a video platform that belongs to this tenant. Every call about a channel is checked against
 * its row, and a channel without a row does not exist for the tenant.
 */
export const camera = defineResource({
  name: 'camera',
  path: '/api/shop/camera',
  label: { zh: '摄像头', en: 'Camera' },
  tenancy: 'tenant',
  writer: 'device',
  scope: { shop: 'shopId' },
  menu: { under: 'device', path: '/device/camera', icon: 'video-camera', sort: 7 },
  title: 'name',
  fields: {
    name: f.text({
      label: { zh: '名称', en: 'Name' },
      required: true,
      max: 100,
      search: 'like',
      form: 'edit',
      group: facts,
      width: 170,
    }),
    shopId: shopIdField({ form: 'edit', group: facts, onRemoval: 'empty' }),
    deviceId: f.ref('deviceInfo', {
      label: { zh: '设备', en: 'Device' },
      labelKey: 'deviceName',
      search: 'eq',
      form: 'read',
      onRemoval: 'empty',
      group: facts,
      width: 150,
    }),
    watched: f.boolean({
      label: { zh: '检查画面', en: 'Image check' },
      default: true,
      form: 'edit',
      group: facts,
      width: 100,
    }),
    remark: remarkField({ form: 'edit' }),
    accountId: f.ref('videoAccount', {
      label: { zh: '视频平台', en: 'Video platform' },
      labelKey: 'accountName',
      search: 'eq',
      form: 'read',
      onRemoval: 'empty',
      group: channel,
      width: 130,
    }),
    // Identifies the platform across tenants, as a channel belongs to one tenant only.
    platform: f.text({
      label: { zh: '平台标识', en: 'Platform reference' },
      max: 100,
      form: 'hidden',
      detail: false,
    }),
    gbDeviceId: f.text({ label: { zh: '国标设备编号', en: 'GB28181 device ID' }, search: 'eq', ...code }),
    gbChannelId: f.text({ label: { zh: '国标通道编号', en: 'GB28181 channel' }, search: 'eq', ...code }),
    // Id by which WVP 2.7.3 and later update a channel.
    channelKey: f.text({
      label: { zh: '通道主键', en: 'Channel key' },
      max: 30,
      form: 'hidden',
      detail: false,
      systemUpdated: true,
    }),
    voiceChannel: f.text({
      label: { zh: '语音通道编号', en: 'Audio channel ID' },
      max: 20,
      form: 'edit',
      pattern: '^\\d{20}$',
      patternWords: { zh: '国标编号是 20 位数字', en: 'A GB28181 ID has 20 digits' },
      sample: '34020000001370000001',
      help: { zh: '喇叭在另一通道时填写', en: 'Fill in if the speaker is another channel' },
      group: channel,
    }),
    ptzType: f.dict('camera_ptz', {
      label: { zh: '云台', en: 'PTZ' },
      form: 'read',
      group: channel,
      systemUpdated: true,
      width: 100,
    }),
    hasAudio: f.boolean({
      label: { zh: '有声音', en: 'Audio' },
      form: 'read',
      group: channel,
      systemUpdated: true,
      width: 80,
    }),
    model: f.text({
      label: { zh: '型号', en: 'Model' },
      max: 80,
      form: 'read',
      group: channel,
      systemUpdated: true,
      width: 140,
    }),
    online: f.boolean({
      label: { zh: '在线', en: 'Online' },
      form: 'hidden',
      default: false,
      search: 'eq',
      group: picture,
      systemUpdated: true,
      width: 80,
    }),
    lastSeenTime: f.datetime({
      label: { zh: '最近在线', en: 'Last seen' },
      form: 'hidden',
      group: picture,
      systemUpdated: true,
      width: 160,
    }),
    state: f.dict('camera_state', {
      label: { zh: '画面状态', en: 'Image status' },
      form: 'hidden',
      default: 'unknown',
      search: 'eq',
      group: picture,
      systemUpdated: true,
      width: 120,
    }),
    picture: f.picture({
      label: { zh: '最近画面', en: 'Last image' },
      form: 'hidden',
      group: picture,
      systemUpdated: true,
      width: 90,
    }),
    pictureTime: f.datetime({
      label: { zh: '画面时间', en: 'Snapshot time' },
      form: 'hidden',
      group: picture,
      systemUpdated: true,
      width: 160,
    }),
    // Mean greys of the usual picture, which new pictures are compared with.
    usual: f.json({
      label: { zh: '平常画面', en: 'Reference image' },
      form: 'hidden',
      detail: false,
      systemUpdated: true,
    }),
    lastHash: f.text({
      label: { zh: '画面指纹', en: 'Image fingerprint' },
      max: 64,
      form: 'hidden',
      detail: false,
      systemUpdated: true,
    }),
    oddTimes: f.number({
      label: { zh: '异常次数', en: 'Error count' },
      form: 'hidden',
      detail: false,
      systemUpdated: true,
    }),
    clockError: f.number({
      label: { zh: '时钟偏差', en: 'Clock drift' },
      help: { zh: '正数表示摄像头的钟快', en: 'Positive means the camera clock is fast' },
      unit: { zh: '毫秒', en: 'ms' },
      form: 'hidden',
      group: clock,
      systemUpdated: true,
      width: 110,
    }),
    clockTime: f.datetime({
      label: { zh: '测量时间', en: 'Measured' },
      form: 'hidden',
      group: clock,
      systemUpdated: true,
      width: 160,
    }),
  },
  list: {
    columns: ['name', 'shopId', 'online', 'state', 'picture', 'ptzType', 'clockError', 'lastSeenTime', 'gbChannelId'],
    time: false,
    sort: '-createTime',
  },
  buttons: { edit: true, import: false },
  uniqueEverywhere: [['platform', 'gbDeviceId', 'gbChannelId']],
  indexes: [['shopId'], ['accountId'], ['online', 'lastSeenTime']],
  permissions: {
    watch: { zh: '观看画面', en: 'View live' },
    record: { zh: '查看录像', en: 'View recordings' },
    ptz: { zh: '控制云台', en: 'Control PTZ' },
    talk: { zh: '对讲', en: 'Two-way audio' },
  },
})
