import { shopId } from '#domains/shops/index.ts'
import { defineResource, f, remark, ownName } from '#kit/resource/index.ts'

const shop = (form?: 'hidden') => (form ? shopId({ form, moves: true }) : shopId({ required: true }))

/** The box in a shop that smart breakers and sockets hang on. */
export const epaGateway = defineResource({
  name: 'epaGateway',
  path: '/api/shop/epaGateway',
  label: { zh: '用电网关', en: 'Power gateway' },
  tenancy: 'tenant',
  scope: { shop: 'shopId' },
  menu: { under: 'device', path: '/device/epaGateway', icon: 'gateway', sort: 30 },
  title: 'name',
  titleCode: 'clientId',
  fields: {
    name: ownName({ required: true, width: 150 }),
    clientId: f.text({
      label: { zh: '网关编号', en: 'Gateway number' },
      required: true,
      max: 64,
      form: 'add',
      search: 'eq',
      width: 160,
    }),
    shopId: shop(),
    online: f.boolean({ label: { zh: '在线', en: 'Online' }, form: 'hidden', default: false, search: 'eq', width: 80 }),
    firmware: f.text({ label: { zh: '固件版本', en: 'Firmware' }, max: 50, form: 'hidden', width: 110 }),
    timeDrift: f.number({
      label: { zh: '时钟偏差', en: 'Clock drift' },
      form: 'hidden',
      unit: { zh: '秒', en: 's' },
      width: 100,
    }),
    infoVersion: f.number({
      label: { zh: '资料版本', en: 'Version of its list' },
      form: 'hidden',
      default: 0,
      width: 100,
    }),
    lastSeenTime: f.datetime({ label: { zh: '最近在线时间', en: 'Last seen' }, form: 'hidden', width: 160 }),
    remark: remark(),
  },
  list: {
    columns: ['name', 'shopId', 'online', 'clientId', 'firmware', 'timeDrift', 'infoVersion', 'lastSeenTime'],
    sort: '-createTime',
  },
  uniqueEverywhere: [['clientId']],
})

/**
 * Something that draws power on a gateway: lights, air conditioning, the sign. State and readings are what it reports.
 */
export const epaDevice = defineResource({
  name: 'epaDevice',
  path: '/api/shop/epaDevice',
  label: { zh: '用电设备', en: 'Powered device' },
  tenancy: 'tenant',
  scope: { shop: 'shopId' },
  menu: { under: 'device', path: '/device/epaDevice', icon: 'bulb', sort: 31 },
  title: 'name',
  fields: {
    name: ownName({ required: true, width: 150 }),
    gatewayId: f.ref('epaGateway', {
      label: { zh: '用电网关', en: 'Gateway' },
      labelKey: 'gatewayName',
      required: true,
      form: 'add',
      search: 'eq',
      width: 150,
    }),
    shopId: shop('hidden'),
    clientId: f.text({
      label: { zh: '设备编号', en: 'Device number' },
      required: true,
      max: 64,
      form: 'add',
      search: 'eq',
      width: 130,
    }),
    address: f.text({ label: { zh: '地址', en: 'Address on the bus' }, max: 20, width: 90 }),
    kind: f.dict('epa_kind', {
      label: { zh: '用途', en: 'What it is' },
      required: true,
      default: 'light',
      search: 'eq',
      width: 100,
    }),
    power: f.boolean({ label: { zh: '通电', en: 'Power' }, form: 'hidden', default: false, search: 'eq', width: 80 }),
    voltage: f.number({
      label: { zh: '电压', en: 'Voltage' },
      min: 0,
      decimals: 1,
      form: 'hidden',
      unit: { zh: '伏', en: 'V' },
      width: 90,
    }),
    current: f.number({
      label: { zh: '电流', en: 'Current' },
      min: 0,
      decimals: 2,
      form: 'hidden',
      unit: { zh: '安', en: 'A' },
      width: 90,
    }),
    energy: f.number({
      label: { zh: '累计电量', en: 'Energy' },
      min: 0,
      decimals: 2,
      form: 'hidden',
      unit: { zh: '度', en: 'kWh' },
      width: 110,
    }),
    lastReportTime: f.datetime({ label: { zh: '最近上报', en: 'Last report' }, form: 'hidden', width: 160 }),
    remark: remark(),
  },
  list: {
    columns: [
      'name',
      'shopId',
      'gatewayId',
      'kind',
      'power',
      'voltage',
      'current',
      'energy',
      'clientId',
      'lastReportTime',
    ],
    sort: '-createTime',
  },
  unique: [['gatewayId', 'clientId']],
  indexes: [['shopId', 'kind']],
})
