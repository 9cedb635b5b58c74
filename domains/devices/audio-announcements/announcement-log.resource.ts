import { shopIdField } from '#domains/shops/shops/index.ts'
import { defineResource, f } from '#kit/resource/index.ts'

/** One playback of an announcement: the shop and speaker, what triggered it, and how it ended. */
export const announcementLog = defineResource({
  name: 'announcementLog',
  path: '/api/shop/announcementLog',
  label: { zh: '播报记录', en: 'Voice playback log' },
  tenancy: 'tenant',
  writer: 'system',
  history: false,
  retentionDays: 30,
  scope: { shop: 'shopId' },
  menu: { under: 'device', path: '/device/announcementLog', icon: 'history', sort: 61 },
  title: 'text',
  fields: {
    audioId: f.ref('audioConf', {
      onRemoval: 'keep',
      label: { zh: '播报', en: 'Announcement' },
      labelKey: 'audioName',
      search: 'eq',
      width: 150,
    }),
    shopId: shopIdField(),
    text: f.text({ label: { zh: '播报内容', en: 'Content' }, max: 500, width: 240 }),
    why: f.dict('audio_trigger', { label: { zh: '因何播放', en: 'Trigger' }, search: 'eq', width: 110 }),
    linkId: f.ref('deviceLink', { label: { zh: '设备', en: 'Device' }, labelKey: 'linkName', width: 150 }),
    cameraId: f.ref('camera', {
      label: { zh: '摄像头', en: 'Camera' },
      labelKey: 'cameraName',
      onRemoval: 'keep',
      width: 140,
    }),
    userId: f.ref('user', { label: { zh: '操作人', en: 'Operator' }, labelKey: 'userName', search: 'eq', width: 110 }),
    eventId: f.ref('event', { label: { zh: '门店事件', en: 'Store event' }, labelKey: 'eventContent', width: 160 }),
    state: f.dict('command_state', {
      label: { zh: '结果', en: 'Result' },
      search: 'eq',
      width: 120,
      systemUpdated: true,
    }),
    message: f.text({ label: { zh: '说明', en: 'Message' }, max: 500, systemUpdated: true, width: 180 }),
    endTime: f.datetime({ label: { zh: '结束时间', en: 'Ended' }, systemUpdated: true, width: 160 }),
    commandId: f.ref('deviceCommand', { label: { zh: '指令', en: 'Command' }, labelKey: 'commandMethod' }),
  },
  list: {
    columns: ['createTime', 'audioId', 'shopId', 'why', 'state', 'message', 'linkId', 'userId', 'text', 'endTime'],
    time: 'createTime',
  },
  buttons: { import: false },
  unique: [['commandId']],
})
