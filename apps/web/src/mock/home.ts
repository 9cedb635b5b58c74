import { http } from 'msw'
import { wireTimeMinutesAgo, prefersEnglish, mockSuccessResponse } from './answers.ts'

const day = (orders: number) => ({
  sales: (orders * 17.4).toFixed(2),
  orders,
  customers: Math.round(orders * 0.8),
  refunds: (orders * 0.3).toFixed(2),
  refundCount: Math.round(orders / 40),
})

const names: [string, string][] = [
  ['西湖一店', 'West Lake 1'],
  ['滨江店', 'Riverside'],
  ['大学城店', 'Campus'],
]

const sums = (orders: number) => ({
  income: (orders * 17).toFixed(2),
  refunds: (orders * 0.3).toFixed(2),
  net: (orders * 16.7).toFixed(2),
  orders,
  refundCount: 1,
  items: orders * 2,
  discount: '0.00',
  cost: (orders * 9).toFixed(2),
  profit: (orders * 8).toFixed(2),
})

const waiting = (en: boolean, n: number) => ({
  key: `need${n}`,
  label: (en ? ['Refunds to approve', 'Low stock'] : ['退款待审核', '库存不足'])[n],
  resource: ['refunds', 'goodInfo'][n],
  icon: ['audit', 'inbox'][n],
  tone: 'warn',
  count: n + 1,
  amount: n ? '' : '12.50',
  query: { status: '0' },
})

function shops(en: boolean) {
  return names.map(([zh, enName], n) => ({
    id: String(1000 + n),
    shopName: en ? enName : zh,
    shopCode: `S${n + 1}`,
    status: 1,
    online: n !== 1,
    lastSeenTime: wireTimeMinutesAgo(n * 30),
    today: day(60 - n * 12),
    yesterdaySoFar: day(55 - n * 8),
    needs: n === 2 ? [] : [waiting(en, n)],
  }))
}

/** Mock routes of the home page: the figures of a quiet day in three shops. */
export const mockHomeHandlers = [
  http.get('/api/shop/home/today', ({ request }) =>
    mockSuccessResponse({
      date: wireTimeMinutesAgo(0).slice(0, 10),
      time: wireTimeMinutesAgo(0).slice(11, 16),
      today: day(144),
      yesterday: day(260),
      yesterdaySoFar: day(131),
      lastWeek: day(248),
      lastWeekSoFar: day(150),
      newCustomers: 4,
      needs: [0, 1].map((n) => waiting(prefersEnglish(request), n)),
      shops: shops(prefersEnglish(request)),
    }),
  ),
  http.get('/api/shop/statistics/dataByDate', () =>
    mockSuccessResponse(
      Array.from({ length: 24 }, (_, hour) => {
        const orders = Math.round(9 * Math.exp(-((hour - 18) ** 2) / 18) + 6 * Math.exp(-((hour - 8) ** 2) / 6))
        return { hour, ...sums(orders), customers: orders }
      }),
    ),
  ),
  http.get('/api/shop/statistics/incomePanelByDate', () =>
    mockSuccessResponse(
      Array.from({ length: 30 }, (_, n) => ({
        date: wireTimeMinutesAgo((29 - n) * 1440).slice(0, 10),
        ...sums(200 + ((n * 37) % 60)),
        customers: 160,
      })),
    ),
  ),
  http.get('/api/shop/statistics/countOrderPeople', () =>
    mockSuccessResponse({
      customers: 130,
      members: 90,
      newCustomers: 12,
      returningCustomers: 78,
      repeatCustomers: 20,
      guestOrders: 40,
      orders: 144,
      average: '17.40',
    }),
  ),
  http.get('/api/shop/statistics/countOrderSumPrice', ({ request }) =>
    mockSuccessResponse(
      shops(prefersEnglish(request)).map((shop, n) => ({
        shopId: shop.id,
        shopName: shop.shopName,
        amount: shop.today.sales,
        ...sums(60 - n * 12),
      })),
    ),
  ),
  http.get('/api/shop/statistics/countOrderSumPriceByGoodType', ({ request }) =>
    mockSuccessResponse(
      [
        ['饮料', 'Drinks'],
        ['面包', 'Bread'],
      ].map(([zh, en], n) => ({
        goodTypeId: String(n + 1),
        name: prefersEnglish(request) ? en : zh,
        amount: String(900 - n * 300),
        quantity: 100,
        cost: '500.00',
        profit: '400.00',
        refunds: '0.00',
        refundQuantity: 0,
      })),
    ),
  ),
]
