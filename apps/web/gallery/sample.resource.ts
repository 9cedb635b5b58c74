import { defineResource, f } from '#kit/resource/index.ts'

const basics = { zh: '基本信息', en: 'Basics' }
const business = { zh: '经营', en: 'Business' }
const contact = { zh: '联系', en: 'Contact' }
const media = { zh: '图文', en: 'Media' }
const technical = { zh: '技术', en: 'Technical' }

/** A shop with a field of every kind; for looking at, not for business. */
export const sample = defineResource({
  name: 'sample',
  path: '/api/fake/sample',
  label: { zh: '样板门店', en: 'Sample shops' },
  tenancy: 'tenant',
  title: 'name',
  titleCode: 'code',
  menu: { under: 'gallery', path: '/sample' },
  fields: {
    name: f.text({ label: { zh: '门店名称', en: 'Shop name' }, required: true, max: 40, search: 'like', group: basics, width: 180 }),
    code: f.text({ label: { zh: '门店编号', en: 'Shop code' }, required: true, max: 16, pattern: '^[A-Z]{2}\\d+$', patternWords: { zh: '门店编号应为两个大写字母加数字', en: 'Shop code must be two capitals and digits' }, search: 'like', group: basics, help: { zh: '两个大写字母加数字，如 HZ0012', en: 'Two capitals and digits, such as HZ0012' } }),
    status: f.dict('sample_status', { label: { zh: '状态', en: 'State' }, required: true, search: 'eq', default: '1', group: basics }),
    kind: f.dict('sample_kind', { label: { zh: '店型', en: 'Type' }, search: 'eq', group: basics }),
    features: f.dicts('sample_feature', { label: { zh: '设施', en: 'Features' }, search: 'in', group: basics }),
    owner: f.ref('user', { label: { zh: '店长', en: 'Manager' }, required: true, search: 'eq', group: basics }),
    staff: f.refs('user', { label: { zh: '店员', en: 'Staff' }, group: basics }),
    parent: f.tree('sample', { label: { zh: '上级门店', en: 'Parent shop' }, group: basics }),
    isOpen: f.boolean({ label: { zh: '营业中', en: 'Open' }, search: 'eq', group: basics }),
    revenue: f.money({ label: { zh: '今日营业额', en: 'Revenue today' }, search: 'range', group: business }),
    deposit: f.money({ label: { zh: '押金', en: 'Deposit' }, required: true, group: business }),
    visits: f.number({ label: { zh: '进店人数', en: 'Visits' }, min: 0, unit: { zh: '人', en: 'people' }, group: business }),
    area: f.number({ label: { zh: '面积', en: 'Area' }, min: 0, decimals: 1, unit: { zh: '㎡', en: 'm²' }, group: business }),
    share: f.percent({ label: { zh: '分成比例', en: 'Share' }, group: business }),
    opened: f.date({ label: { zh: '开业日期', en: 'Opened on' }, search: 'range', group: business }),
    lastSale: f.datetime({ label: { zh: '最近一单', en: 'Last sale' }, form: 'read', group: business }),
    report: f.cron({ label: { zh: '日报时间', en: 'Report schedule' }, group: business }),
    phone: f.phone({ label: { zh: '联系电话', en: 'Phone' }, required: true, landline: true, group: contact }),
    email: f.email({ label: { zh: '邮箱', en: 'E-mail' }, group: contact }),
    website: f.url({ label: { zh: '网站', en: 'Website' }, group: contact }),
    region: f.region({ label: { zh: '所在地区', en: 'Region' }, search: 'likeright', group: contact }),
    place: f.location({ label: { zh: '坐标', en: 'Position' }, group: contact }),
    address: f.longText({ label: { zh: '详细地址', en: 'Address' }, max: 200, rows: 2, group: contact }),
    logo: f.picture({ label: { zh: '门头照', en: 'Front' }, maxKb: 500, accept: ['image/png', 'image/jpeg'], group: media }),
    icon: f.icon({ label: { zh: '图标', en: 'Icon' }, group: media }),
    colour: f.colour({ label: { zh: '主色', en: 'Colour' }, group: media }),
    pictures: f.pictures({ label: { zh: '店内照片', en: 'Pictures' }, maxCount: 6, group: media }),
    about: f.richText({ label: { zh: '介绍', en: 'About' }, group: media }),
    licence: f.file({ label: { zh: '营业执照', en: 'Licence' }, group: media }),
    papers: f.files({ label: { zh: '其他文件', en: 'Other papers' }, group: media }),
    tags: f.tags({ label: { zh: '标签', en: 'Tags' }, search: 'in', group: technical }),
    pin: f.password({ label: { zh: '设备口令', en: 'Device PIN' }, min: 4, max: 32, group: technical }),
    settings: f.json({ label: { zh: '设备参数', en: 'Device settings' }, group: technical }),
  },
  list: { columns: ['name', 'code', 'status', 'owner', 'revenue', 'visits', 'share', 'isOpen', 'features', 'logo', 'region', 'lastSale', 'createTime'], sort: '-createTime' },
  actions: {
    open: { on: 'row', label: { zh: '开店', en: 'Open shop' }, icon: 'unlock', enabled: { status: { in: ['2'] } }, confirm: { zh: '让「{name}」恢复营业?', en: 'Open {name} again?' } },
    settle: {
      on: 'row', label: { zh: '结算', en: 'Settle' }, icon: 'wallet', confirm: { zh: '结算 {revenue} 给 {owner}?', en: 'Settle {revenue} with {owner}?' },
      input: { amount: f.money({ label: { zh: '结算金额', en: 'Amount' }, required: true, min: 1 }), remark: f.longText({ label: { zh: '备注', en: 'Remark' } }) },
    },
    close: { on: 'row', label: { zh: '停业', en: 'Close down' }, icon: 'stop', danger: true, enabled: { status: { ne: '3' } }, confirm: { zh: '「{name}」停业后顾客无法进店。', en: 'Customers cannot enter {name} once it is closed.' } },
    notify: { on: 'bulk', label: { zh: '发通知', en: 'Notify' }, icon: 'send', input: { text: f.longText({ label: { zh: '内容', en: 'Text' }, required: true, max: 200 }) } },
    sync: { on: 'toolbar', label: { zh: '同步', en: 'Synchronise' }, icon: 'sync' },
  },
  permissions: { export: { zh: '导出', en: 'Export' } },
})

/** A tree of rows. */
export const sampleTree = defineResource({
  name: 'sampleTree',
  path: '/api/fake/tree',
  label: { zh: '样板部门', en: 'Sample departments' },
  tenancy: 'tenant',
  title: 'title',
  menu: { under: 'gallery', path: '/tree' },
  fields: {
    title: f.text({ label: { zh: '部门名称', en: 'Department' }, required: true, search: 'like', width: 260 }),
    parentId: f.tree('sampleTree', { label: { zh: '上级部门', en: 'Parent' } }),
    sort: f.number({ label: { zh: '排序', en: 'Order' }, min: 0, default: 1 }),
    remark: f.longText({ label: { zh: '备注', en: 'Remark' } }),
  },
  list: { columns: ['title', 'sort', 'remark'], sort: 'sort', paged: false },
})
