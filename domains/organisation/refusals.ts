import { defineRefusals } from '#kit/server/refused.ts'

defineRefusals({
  users_hold_it: { zh: '{label}下还有用户，不能删除', en: '{label}: users still belong to it, so it cannot be removed' },
})
