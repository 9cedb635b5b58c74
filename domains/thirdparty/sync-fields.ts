import { f, fragment } from '#kit/resource/index.ts'

const group = { zh: '同步', en: 'Synchronisation' }

/**
 * What every row that lives on a platform as well says about being in step with it. Written by the synchronisation,
 * never typed.
 */
export const syncFields = {
  syncStatus: f.dict('sync_status', {
    label: { zh: '同步状态', en: 'In step' },
    numeric: true,
    default: 0,
    form: 'hidden',
    search: 'eq',
    group,
    width: 110,
  }),
  syncTime: f.datetime({ label: { zh: '同步时间', en: 'Last synchronised' }, form: 'hidden', group, width: 160 }),
  syncError: f.text({ label: { zh: '同步错误', en: 'What went wrong' }, max: 500, form: 'hidden', group, width: 180 }),
}

/** Our goods behind what stands on a platform. */
export const ourGoodId = fragment.ref('goodInfo', {
  label: { zh: '我们的商品', en: 'Our goods' },
  labelKey: 'goodName',
  search: 'eq',
  width: 160,
})

/** The platform's own number of goods. */
export const platformSkuId = fragment.text({
  label: { zh: '平台商品编号', en: 'Number there' },
  max: 64,
  search: 'eq',
  width: 140,
})
