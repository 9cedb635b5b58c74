import { afterAll, beforeAll, expect, test } from 'vitest'
import { createModuleRegistry } from '#kit/server/mount/mount.ts'
import { declarationFaults, describeContract } from '#tests/support/contract.ts'
import { representatives } from '#tests/support/representatives.ts'
import { isWhole } from '#tests/support/whole.ts'
import { productModules } from './modules.ts'
import { testProduct, type Product } from './test-product.ts'
import { exceptions } from './test-samples.ts'

let product: Product
beforeAll(async () => {
  product = await testProduct()
})
afterAll(() => product?.close())

const resources = [...createModuleRegistry(productModules).served.values()]

test('every resource says everything in both languages', () => {
  expect(resources.flatMap(({ resource }) => declarationFaults(resource))).toEqual([])
})

for (const served of isWhole ? resources : representatives(resources))
  describeContract(served, () => product, exceptions)
