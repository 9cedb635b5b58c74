import { defineRefusals, type CodesOf } from '#kit/server/base/refused.ts'

const refusals = defineRefusals({
  work_closed: {
    zh: '工单“{title}”已结束，不能修改',
    en: 'Work order “{title}” is closed and can no longer be changed',
  },
  work_kept: {
    zh: '工单“{title}”已派单，不能删除，只能取消',
    en: 'Work order “{title}” is assigned. It can only be canceled, not deleted.',
  },
  work_device_registered: { zh: '设备“{sn}”已登记到门店', en: 'Device “{sn}” is already registered to the store' },
  lead_closed: {
    zh: '“{name}”的申请已结束，不能修改',
    en: 'The lead of “{name}” is closed and can no longer be changed',
  },
})

declare module '#kit/server/base/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
