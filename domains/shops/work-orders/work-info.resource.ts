import { basicShopInfo, shopIdField } from '#domains/shops/shops/index.ts'
import {
  defineDict,
  defineResource,
  defineStates,
  f,
  longRemarkField,
  remarkField,
  contactPhoneField,
  objectSchema,
  rowIdSchema,
  nullableSchema,
  integerSchema,
} from '#kit/resource/index.ts'

export const WORK_ORDER_STATE = { waiting: 0, assigned: 1, running: 2, done: 3, cancelled: 4 } as const

export const workDictionaries = [
  defineDict({
    code: 'work_status',
    label: { zh: '工单状态', en: 'Work order status' },
    entries: [
      { key: '0', zh: '待派单', en: 'Unassigned', colour: 'error' },
      { key: '1', zh: '已派单', en: 'Assigned', colour: 'warning' },
      { key: '2', zh: '进行中', en: 'In progress', colour: 'processing' },
      { key: '3', zh: '已完成', en: 'Completed', colour: 'success' },
      { key: '4', zh: '已取消', en: 'Canceled', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'work_type',
    label: { zh: '工单类型', en: 'Work order type' },
    entries: [
      { key: 'survey', zh: '勘测', en: 'Survey', colour: 'default' },
      { key: 'install', zh: '安装', en: 'Installation', colour: 'geekblue' },
      { key: 'repair', zh: '维修', en: 'Repair', colour: 'volcano' },
      { key: 'inspect', zh: '巡检', en: 'Inspection', colour: 'lime' },
      { key: 'remove', zh: '拆除', en: 'Removal', colour: 'purple' },
    ],
  }),
  defineDict({
    code: 'work_device',
    label: { zh: '工单设备类型', en: 'Work order device type' },
    entries: [
      { key: 'gateway', zh: '门店网关', en: 'Store gateway' },
      { key: 'register', zh: '收银机', en: 'Register' },
      { key: 'camera', zh: '摄像头', en: 'Camera' },
      { key: 'door', zh: '门禁', en: 'Door access' },
      { key: 'tagGateway', zh: '价签基站', en: 'ESL gateway' },
      { key: 'printer', zh: '打印机', en: 'Printer' },
      { key: 'speaker', zh: '音箱', en: 'Speaker' },
      { key: 'power', zh: '电源控制', en: 'Power control' },
      { key: 'sensor', zh: '传感器', en: 'Sensor' },
    ],
  }),
  defineDict({
    code: 'work_action',
    label: { zh: '设备作业', en: 'Device task' },
    entries: [
      { key: 'install', zh: '安装', en: 'Installation' },
      { key: 'replace', zh: '更换', en: 'Replace' },
      { key: 'repair', zh: '维修', en: 'Repair' },
      { key: 'inspect', zh: '检查', en: 'Inspect' },
      { key: 'remove', zh: '拆除', en: 'Removal' },
    ],
  }),
]

const work = { zh: '工单', en: 'Work order' }
const onSite = { zh: '现场联系', en: 'On-site contact' }
const course = { zh: '进度', en: 'Progress' }
const worker = f.ref('user', {
  onRemoval: 'keep',
  label: { zh: '处理人', en: 'Assignee' },
  labelKey: 'workerName',
  search: 'eq',
  form: 'read',
  group: course,
  width: 110,
})
const pictures = f.pictures({ label: { zh: '现场照片', en: 'Site photos' }, group: work })

/** A work order: what is to be done in a shop, by whom and until when. */
export const workInfo = defineResource({
  name: 'workInfo',
  path: '/api/shop/workInfo',
  label: { zh: '工单', en: 'Work order' },
  tenancy: 'tenant',
  scope: { shop: 'shopId' },
  menu: { under: 'shop', path: '/shop/workInfo', icon: 'tool', sort: 40 },
  title: 'title',
  titleCode: 'workNo',
  fields: {
    workNo: f.text({
      label: { zh: '工单号', en: 'Work order no.' },
      max: 32,
      form: 'read',
      search: 'like',
      group: work,
      width: 150,
    }),
    title: f.text({
      label: { zh: '标题', en: 'Title' },
      required: true,
      max: 100,
      search: 'like',
      group: work,
      width: 220,
    }),
    type: f.dict('work_type', {
      label: { zh: '类型', en: 'Type' },
      required: true,
      search: 'eq',
      group: work,
      width: 90,
    }),
    status: f.dict('work_status', {
      label: { zh: '状态', en: 'Status' },
      numeric: true,
      form: 'read',
      default: 0,
      search: 'in',
      group: course,
      width: 100,
    }),
    shopId: shopIdField({ required: true, form: 'add', group: work }),
    content: f.longText({ label: { zh: '内容', en: 'Description' }, max: 2000, group: work }),
    contact: f.text({ label: { zh: '联系人', en: 'Contact' }, max: 50, group: onSite, width: 100 }),
    phone: contactPhoneField({ group: onSite }),
    workerUserId: worker,
    planTime: f.datetime({ label: { zh: '计划时间', en: 'Planned' }, search: 'range', group: course, width: 160 }),
    startTime: f.datetime({ label: { zh: '开始时间', en: 'Started' }, form: 'read', group: course, width: 160 }),
    finishTime: f.datetime({ label: { zh: '完成时间', en: 'Completed' }, form: 'read', group: course, width: 160 }),
    pictures,
    resultRemark: f.longText({ label: { zh: '处理结果', en: 'Outcome' }, max: 1000, form: 'read', group: course }),
    remark: longRemarkField(),
  },
  measures: {
    works: { label: { zh: '工单数', en: 'Work orders' } },
    done: { label: { zh: '已完成', en: 'Completed' }, where: { status_in: '3' } },
    open: { label: { zh: '未完成', en: 'Open' }, where: { status_in: '0,1,2' } },
  },
  documents: {
    workOrder: {
      label: { zh: '工单', en: 'Work order' },
      facts: [
        'title',
        'type',
        'status',
        'shopId',
        'contact',
        'phone',
        'workerUserId',
        'planTime',
        'content',
        'pictures',
        'startTime',
        'finishTime',
        'resultRemark',
      ],
      lines: {
        of: 'workDevice',
        by: 'workId',
        sort: 'createTime',
        columns: ['deviceType', 'sn', 'position', 'action', 'remark'],
      },
      signs: [
        { zh: '处理人', en: 'Assignee' },
        { zh: '门店确认', en: 'Store confirmation' },
      ],
    },
  },
  list: {
    columns: ['workNo', 'title', 'type', 'status', 'shopId', 'workerUserId', 'planTime', 'finishTime', 'createTime'],
    time: 'createTime',
  },
  row: { sub: ['shopId', 'workerUserId', '…workNo'], late: 'planTime', act: 'start' },
  unique: [['workNo']],
  indexes: [
    ['status', 'planTime'],
    ['workerUserId', 'status'],
  ],
  states: defineStates({
    field: 'status',
    values: WORK_ORDER_STATE,
    initial: ['waiting'],
    moves: {
      assign: { from: ['waiting', 'assigned'], to: 'assigned' },
      start: { from: ['assigned'], to: 'running' },
      finish: { from: ['running'], to: 'done' },
      cancel: { from: ['waiting', 'assigned', 'running'], to: 'cancelled' },
    },
  }),
  actions: {
    assign: {
      on: 'row',
      label: { zh: '派单', en: 'Assign' },
      answer: objectSchema({ id: rowIdSchema, status: nullableSchema(integerSchema) }),
      icon: 'user-add',
      input: {
        workerUserId: { ...worker, required: true, form: 'edit' },
        planTime: f.datetime({ label: { zh: '计划时间', en: 'Planned' } }),
      },
    },
    start: {
      on: 'row',
      label: { zh: '开始', en: 'Start' },
      answer: objectSchema({ id: rowIdSchema, status: nullableSchema(integerSchema) }),
      icon: 'play-circle',
    },
    finish: {
      on: 'row',
      label: { zh: '完成', en: 'Complete' },
      answer: objectSchema({ id: rowIdSchema, status: nullableSchema(integerSchema) }),
      icon: 'check-circle',
      input: {
        resultRemark: f.longText({ label: { zh: '处理结果', en: 'Outcome' }, required: true, max: 1000 }),
        pictures: f.pictures({ label: { zh: '现场照片', en: 'Site photos' } }),
      },
    },
    cancel: {
      on: 'row',
      label: { zh: '取消', en: 'Cancel' },
      answer: objectSchema({ id: rowIdSchema, status: nullableSchema(integerSchema) }),
      icon: 'stop',
      danger: true,
      input: {
        resultRemark: f.longText({ label: { zh: '取消原因', en: 'Cancellation reason' }, required: true, max: 1000 }),
      },
    },
  },
})

/** A device of a work order. */
export const workDevice = defineResource({
  name: 'workDevice',
  path: '/api/shop/workInfo/device',
  code: 'workInfo',
  label: { zh: '工单设备', en: 'Work order device' },
  tenancy: 'tenant',
  scope: { shop: 'shopId' },
  title: 'sn',
  fields: {
    workId: f.ref('workInfo', {
      onRemoval: 'remove',
      label: { zh: '工单', en: 'Work order' },
      labelKey: 'workTitle',
      required: true,
      form: 'add',
      search: 'eq',
    }),
    shopId: f.ref('basicShopInfo', { label: basicShopInfo.label, labelKey: 'shopName', form: 'hidden' }),
    deviceType: f.dict('work_device', {
      label: { zh: '设备类型', en: 'Device type' },
      required: true,
      search: 'eq',
      width: 120,
    }),
    sn: f.text({ label: { zh: '序列号', en: 'Serial number' }, required: true, max: 64, search: 'like', width: 160 }),
    position: f.text({ label: { zh: '安装位置', en: 'Location' }, max: 100, width: 140 }),
    action: f.dict('work_action', { label: { zh: '作业', en: 'Task' }, required: true, width: 90 }),
    picture: f.picture({ label: { zh: '照片', en: 'Photo' }, width: 80 }),
    deviceId: f.ref('deviceInfo', { label: { zh: '设备', en: 'Device' }, labelKey: 'deviceName', form: 'hidden' }),
    remark: remarkField(),
  },
  list: { columns: ['deviceType', 'sn', 'position', 'action', 'picture', 'createTime'], time: false },
  unique: [['workId', 'sn']],
  indexes: [['sn']],
})
