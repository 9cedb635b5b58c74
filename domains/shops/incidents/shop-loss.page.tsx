import { createMoneyTotals } from '#kit/web/row/money-totals.tsx'
import { createResourcePage } from '#kit/web/page/page.tsx'
import { LossFigures } from './loss-figures.tsx'
import { shopLoss } from './shop-loss.resource.ts'
import './guard.css'

export default createResourcePage(shopLoss, {
  intro: {
    zh: '丢了多少、在哪家店、可能的原因；数字都能点开',
    en: 'Shrinkage by store and likely cause. Click any figure to see its records.',
  },
  totals: createMoneyTotals(['amount']),
  head: (list) => <LossFigures list={list} />,
})
