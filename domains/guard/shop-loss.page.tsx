import { moneyTotals } from '#kit/web/list/money-totals.tsx'
import { page } from '#kit/web/page.tsx'
import { LossFigures } from './loss-figures.tsx'
import { shopLoss } from './shop-loss.resource.ts'
import './guard.css'

export default page(shopLoss, {
  intro: {
    zh: '丢了多少、丢在哪、多半因为什么；每一元只算一次，每个数字都能点开到依据',
    en: 'What was lost, where, and probably why; each yuan once, each figure opens into its rows',
  },
  totals: moneyTotals(['amount']),
  head: (list) => <LossFigures list={list} />,
})
