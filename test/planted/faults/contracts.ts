import type { PlantedFault } from '../fault.ts'

export const contractsFaults: readonly PlantedFault[] = [
  {
    name: 'an attestation cannot be registered in its last second',
    file: 'contracts/ClaimRegistry.sol',
    find: 'if (attestation.validUntil < block.timestamp) {',
    replace: 'if (attestation.validUntil <= block.timestamp) {',
  },
  {
    name: 'an issuer revokes a claim of which a part is financed',
    file: 'contracts/ClaimRegistry.sol',
    find: 'if (record.state != ClaimState.ELIGIBLE) revert ClaimNotRevocable',
    replace: 'if (!_isFinanceable(record.state)) revert ClaimNotRevocable',
  },
  {
    name: 'anybody registers an allocation of a claim',
    file: 'contracts/ClaimRegistry.sol',
    find: '        onlyRouter\n    {\n        uint256 expected',
    replace: '    {\n        uint256 expected',
  },
  {
    name: 'a claim cannot be settled in the second that it is due',
    file: 'contracts/FinancingRouter.sol',
    find: 'if (block.timestamp < record.dueDate) revert',
    replace: 'if (block.timestamp <= record.dueDate) revert',
  },
  {
    name: 'the bound on the total face of a route is held against its advance',
    file: 'contracts/FinancingRouter.sol',
    find: 'if (totalFace > route.maxTotalFace) revert',
    replace: 'if (totalAdvance > route.maxTotalFace) revert',
  },
  {
    name: 'a pause does not stop direct financings',
    file: 'contracts/FinancingRouter.sol',
    find: ') external nonReentrant whenNotPaused returns (bytes32 executionId) {',
    replace: ') external nonReentrant returns (bytes32 executionId) {',
  },
  {
    name: 'a route uses the nonce of who submits it',
    file: 'contracts/FinancingRouter.sol',
    find: '_useCheckedNonce(route.user, route.nonce);',
    replace: '_useCheckedNonce(msg.sender, route.nonce);',
  },
  {
    name: 'more shares can be redeemed than the assets at hand pay for',
    file: 'contracts/FinancingVault.sol',
    find: '_convertToShares(idleAssets, Math.Rounding.Floor)',
    replace: '_convertToShares(idleAssets, Math.Rounding.Ceil)',
  },
  {
    name: 'the gain of a claim counts before it is settled',
    file: 'contracts/FinancingVault.sol',
    find: 'return idleAssets + outstandingAdvance;',
    replace: 'return idleAssets + outstandingFace;',
  },
  {
    name: 'a deposit counts before its shares exist',
    file: 'contracts/FinancingVault.sol',
    find: '        super._deposit(caller, receiver, assets, shares);\n        idleAssets += assets;',
    replace: '        idleAssets += assets;\n        super._deposit(caller, receiver, assets, shares);',
  },
  {
    name: 'an issuer that is not active can be deactivated again',
    file: 'contracts/IssuerRegistry.sol',
    find: 'if (isActive[issuer] == active) revert',
    replace: 'if (active && isActive[issuer]) revert',
  },
  {
    name: 'a later page of vaults that the list ends within cannot be read',
    file: 'contracts/VaultRegistry.sol',
    find: 'start + Math.min(limit, _vaults.length - start)',
    replace: 'start + Math.min(limit, _vaults.length)',
  },
  {
    name: 'discounts are rounded down',
    file: 'contracts/PricingMath.sol',
    find: 'BPS_DENOMINATOR, Math.Rounding.Ceil',
    replace: 'BPS_DENOMINATOR, Math.Rounding.Floor',
  },
  {
    name: 'the key of an account that has code does not sign for it',
    file: 'contracts/Signatures.sol',
    find: 'if (failure == ECDSA.RecoverError.NoError && signer == account) return true;\n        if (account.code.length == 0) return false;',
    replace:
      'if (account.code.length == 0) return failure == ECDSA.RecoverError.NoError && signer == account;',
  },
]
