import { defineResource, enabled, f, ownName, sort } from '#kit/resource/index.ts'

/** Something the person at the desk has a shop say with one key; the words and their sound are an announcement's. */
export const guardPhrase = defineResource({
  name: 'guardPhrase',
  path: '/api/shop/guardPhrase',
  label: { zh: '喊话短语', en: 'Ready phrase' },
  tenancy: 'tenant',
  menu: { under: 'guard', path: '/guard/guardPhrase', icon: 'sound', sort: 40 },
  title: 'name',
  fields: {
    name: ownName({ required: true, width: 140 }),
    audioId: f.ref('audioConf', {
      label: { zh: '播报内容', en: 'Announcement' },
      labelKey: 'audioName',
      required: true,
      search: 'eq',
      help: {
        zh: '在“语音播报”里写好并生成语音；可在任何门店播放',
        en: 'Written and made into sound among the announcements; it can be played in any shop',
      },
      width: 180,
    }),
    kinds: f.dicts('guard_kind', {
      label: { zh: '用于', en: 'Offered for' },
      blank: { zh: '每种事项', en: 'Every kind' },
      help: { zh: '不选则每种事项都提供', en: 'None chosen: for every kind of case' },
      width: 200,
    }),
    sort: sort(),
    enabled: enabled(),
  },
  list: { columns: ['name', 'audioId', 'kinds', 'sort', 'enabled'], sort: 'sort', inline: ['sort', 'enabled'] },
  unique: [['name']],
})
