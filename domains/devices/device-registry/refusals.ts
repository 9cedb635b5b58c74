import { defineRefusals, type CodesOf } from '#kit/server/base/refused.ts'

const refusals = defineRefusals({
  version_is_published: {
    zh: '版本 {version} 已发布，请先撤回',
    en: 'Version {version} is published. Unpublish it first.',
  },
  device_of_somebody_else: {
    zh: '序列号 {sn} 已被登记，请核对',
    en: 'Serial number {sn} is already registered. Check it.',
  },
})

declare module '#kit/server/base/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
