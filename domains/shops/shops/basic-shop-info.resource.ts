import { longitudeField, latitudeField } from './place-fields.ts'
import {
  defineResource,
  defineStates,
  f,
  longRemarkField,
  reusableField,
  contactPhoneField,
} from '#kit/resource/index.ts'
import { homeTopic } from './topics.ts'

/** Label for rows without a shop. */
export const ALL_SHOPS_LABEL = { zh: '全部门店', en: 'All stores' }
/** Options of a shop field that may be empty for all shops. */
export const allShopsIfEmptyFieldOptions = {
  emptyLabel: ALL_SHOPS_LABEL,
  requiredOf: 'shop',
  help: {
    zh: '不选则为全部门店；店主须选自己的门店',
    en: 'Leave blank for all stores. Store owners must select their own stores.',
  },
} as const

const basics = { zh: '基本信息', en: 'Basics' }
const place = { zh: '位置与联系', en: 'Location & contact' }
const clockTime = (n: number) => `22:${String(n % 60).padStart(2, '0')}`
const running = { zh: '经营', en: 'Operation' }

/** States of a shop: 0 preparing → 1 open ⇄ 2 paused → 3 closed. */
const SHOP_STATE = { preparing: 0, open: 1, paused: 2, closed: 3 } as const

/** A shop. Its online state follows from its devices and cannot be edited. */
export const basicShopInfo = defineResource({
  name: 'basicShopInfo',
  path: '/api/shop/basicShopInfo',
  label: { zh: '门店', en: 'Store' },
  tenancy: 'tenant',
  scope: { shop: 'id' },
  menu: { under: 'shop', path: '/shop/basicShopInfo', icon: 'shop', sort: 10 },
  title: 'shopName',
  titleCode: 'shopCode',
  fields: {
    shopName: f.text({
      label: { zh: '门店名称', en: 'Store name' },
      required: true,
      max: 50,
      search: 'like',
      group: basics,
      width: 180,
    }),
    shopCode: f.text({
      label: { zh: '门店编号', en: 'Store code' },
      required: true,
      max: 32,
      search: 'like',
      group: basics,
      width: 110,
      pattern: '^[A-Za-z0-9_-]+$',
      patternWords: {
        zh: '门店编号只能含字母、数字、横线',
        en: 'A store code can contain only letters, digits and dashes',
      },
      sample: 'S10',
    }),
    status: f.dict('shop_status', {
      label: { zh: '状态', en: 'Status' },
      numeric: true,
      form: 'read',
      default: 0,
      search: 'eq',
      group: basics,
      width: 100,
    }),
    online: f.boolean({
      label: { zh: '在线', en: 'Online' },
      computed: true,
      form: 'hidden',
      group: basics,
      width: 80,
    }),
    lastSeenTime: f.datetime({
      systemUpdated: true,
      label: { zh: '最近在线时间', en: 'Last online' },
      form: 'hidden',
      group: basics,
    }),
    mode: f.dict('shop_mode', {
      label: { zh: '经营模式', en: 'Operating mode' },
      numeric: true,
      default: 1,
      search: 'eq',
      group: running,
      width: 120,
    }),
    clientId: f.text({
      label: { zh: '网关编号', en: 'Gateway ID' },
      max: 64,
      group: running,
      help: {
        zh: '门店网关的唯一编号，安装后填写',
        en: 'Unique ID of the store gateway. Enter it after installation.',
      },
    }),
    bossUserId: f.ref('user', {
      onRemoval: 'empty',
      label: { zh: '店主', en: 'Store owner' },
      labelKey: 'bossUserName',
      search: 'eq',
      group: basics,
      width: 110,
    }),
    deptId: f.ref('dept', { label: { zh: '所属部门', en: 'Department' }, group: basics }),
    merchantId: f.ref('merchantInfo', {
      onRemoval: 'empty',
      systemUpdated: true,
      label: { zh: '商户', en: 'Merchant' },
      labelKey: 'merchantName',
      form: 'read',
      search: 'eq',
      group: basics,
      width: 150,
      help: { zh: '在商户资料中选择它的门店', en: 'Assign stores on the merchant page' },
    }),
    province: f.region({ label: { zh: '省', en: 'Province' }, form: 'hidden', detail: false }),
    city: f.region({ label: { zh: '市', en: 'City' }, form: 'hidden', detail: false }),
    district: f.region({ label: { zh: '所在地区', en: 'Region' }, group: place, search: 'likeright', width: 180 }),
    address: f.text({ label: { zh: '详细地址', en: 'Address' }, max: 200, group: place }),
    longitude: longitudeField({ group: place }),
    latitude: latitudeField({ group: place }),
    phone: contactPhoneField({ group: place }),
    area: f.number({
      label: { zh: '面积', en: 'Area' },
      decimals: 1,
      min: 0,
      max: 100_000,
      unit: { zh: '平方米', en: 'm²' },
      group: running,
    }),
    logo: f.picture({ label: { zh: '门店标志', en: 'Logo' }, group: basics }),
    pictures: f.pictures({ label: { zh: '门店图片', en: 'Store photos' }, group: basics }),
    openDate: f.date({ label: { zh: '开业日期', en: 'Opening date' }, group: running, width: 110 }),
    unmannedStart: f.text({
      label: { zh: '无人值守开始', en: 'Unattended start' },
      requiredWhen: { unmannedEnd: { ne: '' } },
      max: 5,
      pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
      patternWords: { zh: '时间格式应为 22:00', en: 'Enter a time, for example, 22:00' },
      sample: clockTime,
      group: running,
    }),
    unmannedEnd: f.text({
      label: { zh: '无人值守结束', en: 'Unattended end' },
      requiredWhen: { unmannedStart: { ne: '' } },
      max: 5,
      pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
      patternWords: { zh: '时间格式应为 07:00', en: 'Enter a time, for example, 07:00' },
      sample: clockTime,
      group: running,
    }),
    searchKey: f.text({
      label: { zh: '检索码', en: 'Search key' },
      max: 400,
      form: 'hidden',
      detail: false,
      secret: true,
    }),
    remark: longRemarkField(),
  },
  list: {
    columns: ['shopName', 'shopCode', 'status', 'online', 'mode', 'bossUserId', 'district', 'phone', 'openDate'],
    sort: 'shopCode',
  },
  unique: [['shopCode'], ['clientId']],
  indexes: [['bossUserId'], ['status']],
  states: defineStates({
    field: 'status',
    values: SHOP_STATE,
    initial: ['preparing'],
    moves: {
      open: { from: ['preparing', 'paused'], to: 'open' },
      pause: { from: ['open'], to: 'paused' },
      close: { from: ['paused'], to: 'closed' },
    },
    tells: [{ topic: homeTopic }],
  }),
  actions: {
    open: {
      on: 'row',
      label: { zh: '营业', en: 'Open' },
      confirm: { zh: '让“{shopName}”开始营业？', en: 'Open “{shopName}” for business?' },
      icon: 'play-circle',
    },
    pause: {
      on: 'row',
      label: { zh: '暂停营业', en: 'Pause' },
      confirm: { zh: '暂停“{shopName}”营业？', en: 'Pause “{shopName}”?' },
      icon: 'pause-circle',
    },
    close: {
      on: 'row',
      label: { zh: '关店', en: 'Close store' },
      confirm: {
        zh: '关店后不能恢复营业，关闭“{shopName}”？',
        en: 'A closed store cannot reopen. Close “{shopName}”?',
      },
      icon: 'stop',
      danger: true,
    },
  },
  permissions: { staff: { zh: '门店人员', en: 'Store staff' } },
})

/** Reusable field for the shop of a row. */
export const shopIdField = reusableField.ref(basicShopInfo.name, {
  label: basicShopInfo.label,
  labelKey: 'shopName',
  search: 'eq',
  width: 150,
})

/** Field for the shop in which something done in the office is recorded. */
export const recordedInShopField = f.ref(basicShopInfo.name, {
  label: basicShopInfo.label,
  requiredOf: 'shop',
  help: { zh: '记在哪家门店', en: 'Store to record it in' },
})

/** Reusable field for the shops of a row. */
export const shopIdsField = reusableField.refs(basicShopInfo.name, {
  label: { zh: basicShopInfo.label.zh, en: 'Shops' },
  labelKey: 'shopNames',
})
