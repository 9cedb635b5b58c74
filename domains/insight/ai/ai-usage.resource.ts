import { defineResource, f } from '#kit/resource/index.ts'

/**
 * Usage and cost of a tenant's AI runs in a month, with its budget. A new month takes over the budget of the last one.
 */
export const aiUsage = defineResource({
  name: 'aiUsage',
  path: '/api/shop/aiUsage',
  label: { zh: 'AI 用量', en: 'AI usage' },
  tenancy: 'tenant',
  menu: { under: 'ai', path: '/ai/aiUsage', icon: 'bar-chart', sort: 50 },
  title: 'month',
  fields: {
    month: f.text({
      label: { zh: '月份', en: 'Month' },
      required: true,
      form: 'add',
      max: 7,
      pattern: '^20\\d\\d-(0[1-9]|1[0-2])$',
      patternWords: { zh: '{label}应为年月，如 2026-01', en: '{label} must be a month, for example, 2026-01' },
      sample: (n: number) => `20${String(30 + (Math.floor(n / 12) % 70))}-${String((n % 12) + 1).padStart(2, '0')}`,
      search: 'eq',
      width: 110,
    }),
    budget: f.money({
      label: { zh: '预算', en: 'Budget' },
      emptyLabel: { zh: '不限', en: 'No limit' },
      width: 120,
      help: {
        zh: '用完后不再运行，正在运行的随即停止；不填不限',
        en: 'When used up, no more runs start and active runs are stopped. Leave blank for no limit.',
      },
    }),
    cost: f.money({
      label: { zh: '已用费用', en: 'Spent' },
      form: 'read',
      default: '0.00',
      systemUpdated: true,
      width: 120,
    }),
    tokens: f.number({
      label: { zh: '词元', en: 'Tokens' },
      min: 0,
      big: true,
      form: 'read',
      default: 0,
      systemUpdated: true,
      width: 120,
    }),
    runs: f.number({
      label: { zh: '运行次数', en: 'Runs' },
      form: 'read',
      default: 0,
      systemUpdated: true,
      width: 100,
    }),
    ended: f.number({
      label: { zh: '因预算结束', en: 'Stopped by budget' },
      form: 'read',
      default: 0,
      systemUpdated: true,
      width: 130,
    }),
    // In millionths of a cent, so that small runs are not rounded one by one.
    charge: f.number({
      label: { zh: '计费累计', en: 'Total charge' },
      big: true,
      form: 'hidden',
      detail: false,
      secret: true,
      default: 0,
      systemUpdated: true,
    }),
  },
  list: { columns: ['month', 'budget', 'cost', 'tokens', 'runs', 'ended'], sort: '-month' },
  buttons: { import: false, delete: false },
  remove: false,
  unique: [['month']],
})
