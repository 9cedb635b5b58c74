import { shopIdField } from '#domains/shops/shops/index.ts'
import { defineResource, f, remarkField } from '#kit/resource/index.ts'

const facts = { zh: '设备', en: 'Device' }
const reported = { zh: '设备上报', en: 'Reported by device' }
const video = { zh: '视频接入', en: 'Video' }

/** A device in a shop. Its state comes from its own reports, never from a form. */
export const deviceInfo = defineResource({
  name: 'deviceInfo',
  path: '/api/shop/deviceInfo',
  label: { zh: '设备', en: 'Device' },
  tenancy: 'tenant',
  scope: { shop: 'shopId' },
  menu: { under: 'device', path: '/device/deviceInfo', icon: 'hdd', sort: 5 },
  title: 'name',
  titleCode: 'sn',
  fields: {
    name: f.text({
      label: { zh: '设备名称', en: 'Device name' },
      required: true,
      max: 50,
      search: 'like',
      group: facts,
      width: 160,
    }),
    type: f.dict('work_device', {
      label: { zh: '类型', en: 'Type' },
      required: true,
      form: 'add',
      search: 'eq',
      group: facts,
      width: 110,
    }),
    sn: f.text({
      label: { zh: '序列号', en: 'Serial number' },
      required: true,
      max: 64,
      form: 'add',
      search: 'like',
      group: facts,
      width: 150,
      pattern: '^[A-Za-z0-9:_-]{3,64}$',
      patternWords: {
        zh: '序列号只能含字母、数字、横线、冒号，至少3位',
        en: 'A serial number can contain only letters, digits, dashes and colons, at least 3',
      },
      sample: 'DEV-10',
    }),
    shopId: shopIdField({ required: true, group: facts }),
    model: f.text({ label: { zh: '型号', en: 'Model' }, max: 50, search: 'like', group: facts, width: 120 }),
    position: f.text({ label: { zh: '安装位置', en: 'Location' }, max: 50, group: facts, width: 120 }),
    installTime: f.date({ label: { zh: '安装日期', en: 'Installed' }, group: facts, width: 110 }),
    warrantyEnd: f.date({ label: { zh: '保修截止', en: 'Warranty until' }, search: 'range', group: facts, width: 110 }),
    clientId: f.text({ label: { zh: '网关编号', en: 'Gateway ID' }, max: 64, search: 'eq', group: facts }),
    gbDeviceId: f.text({
      label: { zh: '国标设备编号', en: 'GB28181 device ID' },
      max: 20,
      group: video,
      pattern: '^\\d{20}$',
      patternWords: { zh: '国标编号是 20 位数字', en: 'A GB28181 ID has 20 digits' },
      sample: '34020000001320000001',
    }),
    gbChannelId: f.text({
      label: { zh: '国标通道编号', en: 'GB28181 channel' },
      max: 20,
      group: video,
      pattern: '^\\d{20}$',
      patternWords: { zh: '国标编号是 20 位数字', en: 'A GB28181 ID has 20 digits' },
      sample: '34020000001320000002',
    }),
    online: f.boolean({
      label: { zh: '在线', en: 'Online' },
      form: 'hidden',
      default: false,
      search: 'eq',
      group: reported,
      width: 130,
    }),
    lastSeenTime: f.datetime({
      label: { zh: '最近在线时间', en: 'Last online' },
      form: 'hidden',
      group: reported,
      width: 160,
    }),
    firmware: f.text({
      label: { zh: '固件版本', en: 'Firmware version' },
      max: 50,
      form: 'hidden',
      group: reported,
      width: 110,
    }),
    ip: f.text({ label: { zh: 'IP 地址', en: 'IP address' }, max: 45, form: 'hidden', group: reported, width: 120 }),
    remark: remarkField(),
  },
  list: {
    columns: ['name', 'type', 'shopId', 'online', 'sn', 'model', 'position', 'firmware', 'lastSeenTime', 'warrantyEnd'],
    time: false,
    sort: '-createTime',
  },
  row: { sub: ['shopId', 'type'], state: 'online', warn: { online: { eq: 'false' } } },
  unique: [['sn']],
  indexes: [
    ['shopId', 'type'],
    ['type', 'online'],
  ],
})
