import { defineSystemParam } from '#kit/resource/index.ts'

export const EVENT_REMINDER_MINUTES_PARAM = defineSystemParam({
  key: 'event.remindMinutes',
  value: '10',
  number: { min: 0, max: 1440 },
  label: { zh: '紧急事件多少分钟无人认领时提醒', en: 'Unclaimed urgent event reminder (min)' },
  help: {
    zh: '先再次通知订阅人，再过同样时间通知租户管理员；0 为不提醒',
    en: 'Subscribers are reminded first. After the same time again, tenant administrators. 0 means no reminders.',
  },
})

export const eventParams = [EVENT_REMINDER_MINUTES_PARAM]
