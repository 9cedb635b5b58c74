import { defineParam } from '#kit/resource/index.ts'

export const REMIND_MINUTES = defineParam({
  key: 'event.remindMinutes',
  value: '10',
  number: { min: 0, max: 1440 },
  label: { zh: '紧急事件多少分钟无人认领时提醒', en: 'Minutes until an urgent event nobody took is told again' },
  help: {
    zh: '先再次通知订阅人，再过同样时间通知租户管理员；0 为不提醒',
    en: "First to its subscribers, after as long again to the tenant's administrators; 0: never",
  },
})

export const eventParams = [REMIND_MINUTES]
