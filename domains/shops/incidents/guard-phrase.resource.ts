import { defineResource, enabledField, f, nameField, sortOrderField } from '#kit/resource/index.ts'

/** A phrase the desk can have spoken in a shop with one key; text and sound are those of an announcement. */
export const guardPhrase = defineResource({
  name: 'guardPhrase',
  path: '/api/shop/guardPhrase',
  label: { zh: '快捷喊话', en: 'Talk-down message' },
  tenancy: 'tenant',
  menu: { under: 'guard', path: '/guard/guardPhrase', icon: 'sound', sort: 40 },
  title: 'name',
  fields: {
    name: nameField({ required: true, width: 140 }),
    audioId: f.ref('audioConf', {
      label: { zh: '播报内容', en: 'Announcement' },
      labelKey: 'audioName',
      required: true,
      search: 'eq',
      help: {
        zh: '在“语音播报”里写好并生成语音；可在任何门店播放',
        en: 'Write it under “Voice announcements” and generate its audio. It can be played in any store.',
      },
      width: 180,
    }),
    kinds: f.dicts('guard_kind', {
      label: { zh: '用于', en: 'Used for' },
      emptyLabel: { zh: '每种事项', en: 'All case types' },
      help: { zh: '不选则每种事项都提供', en: 'Leave blank to offer it for all case types' },
      width: 200,
    }),
    sort: sortOrderField(),
    enabled: enabledField(),
  },
  list: { columns: ['name', 'audioId', 'kinds', 'sort', 'enabled'], sort: 'sort', inline: ['sort', 'enabled'] },
  unique: [['name']],
})
