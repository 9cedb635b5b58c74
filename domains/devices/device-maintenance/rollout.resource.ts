import { ALL_SHOPS_LABEL, shopIdField, shopIdsField } from '#domains/shops/shops/index.ts'
import { defineResource, defineStates, f } from '#kit/resource/index.ts'
import { ROLLOUT_DEVICE_STATE, ROLLOUT_STATE } from './dictionaries.ts'

const running = { zh: '节奏', en: 'Schedule' }
const result = { zh: '进展', en: 'Progress' }
const clock = (zh: string, en: string) =>
  f.text({
    label: { zh, en },
    max: 5,
    pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
    patternWords: { zh: '时间格式应为 02:00', en: 'Enter a time, for example, 02:00' },
    sample: '02:00',
    group: running,
    width: 100,
  })
const counted = (zh: string, en: string) =>
  f.number({ label: { zh, en }, form: 'read', default: 0, systemUpdated: true, group: result, width: 80 })

/**
 * Upgrade of a fleet in waves: canary shops first, then growing percentages of the others. Advances from wave to wave
 * by itself and stops when too many devices of a wave fail.
 */
export const rollout = defineResource({
  name: 'rollout',
  path: '/api/shop/rollout',
  label: { zh: '分批升级', en: 'Rollout' },
  tenancy: 'tenant',
  scope: { shop: 'shopIds' },
  menu: { under: 'device', path: '/device/rollout', icon: 'rocket', sort: 52 },
  title: 'name',
  fields: {
    name: f.text({ label: { zh: '名称', en: 'Name' }, required: true, max: 50, search: 'like', width: 160 }),
    module: f.dict('program_module', {
      label: { zh: '程序', en: 'Program' },
      required: true,
      default: 'gateway',
      search: 'eq',
      width: 110,
    }),
    programId: f.ref('', {
      by: 'module',
      resourceByValue: { gateway: 'clientVersion', register: 'cashRegisterClientVersion' },
      label: { zh: '版本', en: 'Version' },
      help: { zh: '已发布、安装包已上传的版本', en: 'A published version with an uploaded package' },
      width: 120,
    }),
    shopIds: shopIdsField({
      emptyLabel: ALL_SHOPS_LABEL,
      width: 160,
      help: { zh: '不选表示全部门店', en: 'Leave blank for all stores' },
    }),
    canaryShops: shopIdsField({
      label: { zh: '先行门店', en: 'Canary stores' },
      help: {
        zh: '这些门店先升级，成功后才轮到其他门店',
        en: 'These stores are upgraded first. The others follow after success.',
      },
      group: running,
      width: 160,
    }),
    waves: f.text({
      label: { zh: '批次', en: 'Stages' },
      required: true,
      default: '5,25,100',
      max: 40,
      pattern: '^\\d{1,3}(,\\d{1,3}){0,9}$',
      patternWords: {
        zh: '批次应为 5,25,100 这样的递增百分比',
        en: 'Stages must be increasing percentages, for example, 5,25,100',
      },
      sample: '5,25,100',
      help: { zh: '其余门店的累计百分比', en: 'Cumulative percentage of the other stores' },
      group: running,
      width: 100,
    }),
    failureMax: f.percent({
      label: { zh: '失败率上限', en: 'Maximum failure rate' },
      required: true,
      default: '10.00',
      min: 0,
      max: 100,
      help: { zh: '一批里失败超过这个比例就自动停止', en: 'Stops automatically when more devices of a stage fail' },
      group: running,
      width: 100,
    }),
    windowStart: clock('升级时段开始', 'Window start'),
    windowEnd: clock('升级时段结束', 'Window end'),
    remark: f.longText({ label: { zh: '备注', en: 'Note' }, max: 500 }),
    state: f.dict('rollout_state', {
      label: { zh: '状态', en: 'Status' },
      default: 'draft',
      form: 'hidden',
      systemUpdated: true,
      search: 'eq',
      width: 100,
    }),
    versionName: f.text({ label: { zh: '目标版本', en: 'Target version' }, max: 50, form: 'hidden', width: 110 }),
    wave: counted('当前批次', 'Current stage'),
    total: counted('设备数', 'Devices'),
    doneCount: counted('成功', 'Succeeded'),
    failedCount: counted('失败', 'Failed'),
    stopReason: f.text({
      label: { zh: '停止原因', en: 'Stop reason' },
      max: 200,
      form: 'read',
      group: result,
      width: 220,
    }),
    stopReasonEn: f.text({
      label: { zh: '停止原因（英文）', en: 'Stop reason (English)' },
      max: 200,
      form: 'hidden',
      detail: false,
    }),
    startTime: f.datetime({
      label: { zh: '开始时间', en: 'Started' },
      form: 'read',
      search: 'range',
      group: result,
      width: 160,
    }),
    endTime: f.datetime({ label: { zh: '结束时间', en: 'Ended' }, form: 'read', group: result, width: 160 }),
  },
  list: {
    columns: [
      'name',
      'module',
      'versionName',
      'state',
      'wave',
      'total',
      'doneCount',
      'failedCount',
      'stopReason',
      'startTime',
    ],
    time: 'startTime',
  },
  row: { sub: ['module', 'stopReason'], act: ['start', 'resume'] },
  buttons: { import: false },
  indexes: [['state']],
  states: defineStates({
    field: 'state',
    values: ROLLOUT_STATE,
    initial: ['draft'],
    moves: {
      start: { from: ['draft'], to: 'running' },
      pause: { from: ['running'], to: 'paused' },
      resume: { from: ['paused'], to: 'running' },
      stop: { from: ['running', 'paused'], to: 'stopped' },
      stopItself: { from: ['running'], to: 'stopped' },
      finish: { from: ['running'], to: 'done' },
    },
  }),
  actions: {
    start: {
      on: 'row',
      label: { zh: '开始', en: 'Start' },
      icon: 'rocket',
      confirm: {
        zh: '开始升级“{name}”？设备会分批重启。',
        en: 'Start rolling out “{name}”? Devices restart stage by stage.',
      },
    },
    pause: {
      on: 'row',
      label: { zh: '暂停', en: 'Pause' },
      icon: 'stop',
      confirm: {
        zh: '暂停“{name}”？正在升级的设备会继续完成。',
        en: 'Pause “{name}”? Devices being upgraded will finish.',
      },
    },
    resume: {
      on: 'row',
      label: { zh: '继续', en: 'Resume' },
      icon: 'rocket',
    },
    stop: {
      on: 'row',
      label: { zh: '停止', en: 'Stop' },
      icon: 'stop',
      danger: true,
      confirm: {
        zh: '停止“{name}”？还没升级的设备保持原版本，之后不能继续。',
        en: 'Stop “{name}”? Devices not upgraded keep their version. It cannot be resumed.',
      },
    },
  },
})

/** One device of a rollout and the result of its upgrade. */
export const rolloutDevice = defineResource({
  name: 'rolloutDevice',
  path: '/api/shop/rolloutDevice',
  label: { zh: '升级设备', en: 'Rollout device' },
  tenancy: 'tenant',
  writer: 'system',
  history: false,
  scope: { shop: 'shopId' },
  menu: { under: 'device', path: '/device/rolloutDevice', icon: 'desktop', sort: 53 },
  title: 'clientId',
  fields: {
    rolloutId: f.ref('rollout', {
      label: { zh: '分批升级', en: 'Rollout' },
      labelKey: 'rolloutName',
      search: 'eq',
      width: 150,
    }),
    linkId: f.ref('deviceLink', {
      label: { zh: '设备', en: 'Device' },
      labelKey: 'linkName',
      search: 'eq',
      width: 150,
    }),
    clientId: f.text({ label: { zh: '设备编号', en: 'Device ID' }, max: 64, search: 'eq', width: 150 }),
    shopId: shopIdField(),
    wave: f.number({ label: { zh: '批次', en: 'Stage' }, search: 'eq', width: 70 }),
    state: f.dict('rollout_device_state', {
      label: { zh: '状态', en: 'Status' },
      search: 'eq',
      systemUpdated: true,
      width: 110,
    }),
    reason: f.text({ label: { zh: '说明', en: 'Message' }, max: 200, systemUpdated: true, width: 180 }),
    fromVersion: f.text({ label: { zh: '原版本', en: 'Previous version' }, max: 50, systemUpdated: true, width: 100 }),
    commandId: f.ref('deviceCommand', {
      label: { zh: '指令', en: 'Command' },
      labelKey: 'commandName',
      systemUpdated: true,
    }),
    askTime: f.datetime({ label: { zh: '下发时间', en: 'Sent' }, systemUpdated: true, width: 160 }),
    endTime: f.datetime({ label: { zh: '结束时间', en: 'Ended' }, systemUpdated: true, width: 160 }),
  },
  states: defineStates({
    field: 'state',
    values: ROLLOUT_DEVICE_STATE,
    initial: ['waiting'],
    moves: {
      skip: { from: ['waiting'], to: 'skipped' },
      ask: { from: ['waiting'], to: ['asked', 'failed'] },
      giveUp: { from: ['asked'], to: 'failed' },
      cancel: { from: ['waiting'], to: 'canceled' },
      // A device given up as silent is corrected when its upgrade turns out to be done.
      end: { from: ['asked', 'failed'], to: ['done', 'skipped', 'failed', 'canceled'] },
    },
  }),
  list: {
    columns: ['rolloutId', 'linkId', 'shopId', 'wave', 'state', 'reason', 'fromVersion', 'askTime', 'endTime'],
    time: false,
  },
  row: { title: 'linkId', sub: ['rolloutId', 'shopId'] },
  buttons: { import: false },
  unique: [['rolloutId', 'linkId']],
  indexes: [['rolloutId', 'wave', 'state'], ['commandId']],
})
