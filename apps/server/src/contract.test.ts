import { afterAll, beforeAll } from 'vitest'
import { createRegistry } from '#kit/server/request/mount.ts'
import { describeContract } from '#kit/testing/contract.ts'
import { rooms } from './rooms.ts'
import { testProduct, type Product } from './test-product.ts'
import { exceptions } from './test-samples.ts'

let product: Product
beforeAll(async () => {
  product = await testProduct()
})
afterAll(() => product?.close())

for (const served of createRegistry(rooms).served.values()) describeContract(served, () => product, exceptions)
