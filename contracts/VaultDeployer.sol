// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {FinancingVault} from "./FinancingVault.sol";
import {VaultRegistry} from "./VaultRegistry.sol";
import {VaultSetup} from "./Types.sol";

/// @notice Creates the vaults of one registry, which creates this contract. The creation code of a vault does not fit
/// the registry.
contract VaultDeployer {
    VaultRegistry public immutable registry;

    error OnlyRegistry();

    constructor() {
        registry = VaultRegistry(msg.sender);
    }

    /// @notice Creates a vault that belongs to the registry, which alone may call this.
    function deploy(VaultSetup calldata setup) external returns (FinancingVault) {
        if (msg.sender != address(registry)) revert OnlyRegistry();
        return new FinancingVault(setup, registry);
    }
}
