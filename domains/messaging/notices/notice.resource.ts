import { defineDict, defineResource, f } from '#kit/resource/index.ts'

export const noticeCategoryDictionary = defineDict({
  code: 'notice',
  label: { zh: '通知类型', en: 'Announcement category' },
  entries: [
    { key: '1', zh: '发布通知', en: 'Announcement', colour: 'geekblue' },
    { key: '2', zh: '批转通知', en: 'Endorsed announcement' },
    { key: '3', zh: '转发通知', en: 'Forwarded announcement' },
    { key: '4', zh: '指示通知', en: 'Instruction', colour: 'warning' },
    { key: '5', zh: '任免通知', en: 'Appointment', colour: 'purple' },
    { key: '6', zh: '事务通知', en: 'General affairs' },
  ],
})

export const notice = defineResource({
  name: 'notice',
  path: '/api/blade-desk/notice',
  tenancy: 'tenant',
  label: { zh: '公告', en: 'Announcement' },
  menu: { under: 'desk', path: '/desk/notice', icon: 'notification', sort: 1 },
  fields: {
    title: f.text({ label: { zh: '通知标题', en: 'Title' }, required: true, max: 255, search: 'like' }),
    category: f.dict('notice', {
      label: { zh: '通知类型', en: 'Category' },
      required: true,
      numeric: true,
      search: 'eq',
    }),
    releaseTime: f.datetime({
      label: { zh: '发布时间', en: 'Published' },
      search: 'range',
      help: { zh: '留空为立即发布', en: 'Leave blank to publish immediately' },
    }),
    content: f.richText({ label: { zh: '通知内容', en: 'Content' }, max: 100_000 }),
    announcedTime: f.datetime({ label: { zh: '送达时间', en: 'Delivered' }, form: 'hidden' }),
  },
  list: { columns: ['title', 'category', 'releaseTime', 'createUser'], sort: '-releaseTime' },
})
