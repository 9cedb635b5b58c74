import { moneyTotals } from '#kit/web/list/money-totals.tsx'
import { page } from '#kit/web/page.tsx'
import { LossFigures } from './loss-figures.tsx'
import { shopLoss } from './shop-loss.resource.ts'
import './guard.css'

export default page(shopLoss, {
  intro: {
    zh: '丢了多少、在哪家店、可能的原因；数字都能点开',
    en: 'Shrinkage by store and likely cause. Click any figure to see its records.',
  },
  totals: moneyTotals(['amount']),
  head: (list) => <LossFigures list={list} />,
})
