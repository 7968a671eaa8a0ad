// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {
    AccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {ClaimRegistry} from "./ClaimRegistry.sol";
import {FinancingVault} from "./FinancingVault.sol";
import {Texts} from "./Texts.sol";
import {Administration, Mandate, Pricing, Terms, VaultSetup} from "./Types.sol";
import {VaultDeployer} from "./VaultDeployer.sol";

/// @notice Creates vaults and lists which are active. A vault exists from its registration on, so its history
/// begins with `VaultRegistered`; only its construction, in the same call, emits an event before.
contract VaultRegistry is AccessControlDefaultAdminRules {
    /// @notice The role that creates, activates and deactivates vaults.
    bytes32 public constant VAULT_MANAGER_ROLE = keccak256("VAULT_MANAGER_ROLE");

    ClaimRegistry public immutable claims;
    address public immutable router;
    VaultDeployer public immutable deployer = new VaultDeployer();

    /// @notice Whether the vault finances claims and takes deposits.
    mapping(address vault => bool) public isActive;
    /// @notice Whether this registry created the vault.
    mapping(address vault => bool) public isRegistered;
    address[] private _vaults;

    /// @notice A vault with these first terms. `VaultStatusChanged` follows. `noticePeriod` is in seconds.
    event VaultRegistered(
        address indexed vault,
        address indexed token,
        address indexed curator,
        string name,
        string symbol,
        uint32 noticePeriod,
        Mandate mandate,
        Pricing pricing
    );
    event VaultStatusChanged(address indexed vault, bool active);

    /// @notice This registry did not create the vault.
    error UnknownVault(address vault);
    /// @notice The vault has this status already.
    error VaultStatusUnchanged(address vault, bool active);
    /// @notice A new vault needs a listed token.
    error TokenNotListed(address token);

    constructor(ClaimRegistry claims_, address router_, Administration memory by)
        AccessControlDefaultAdminRules(by.adminDelay, by.admin)
    {
        claims = claims_;
        router = router_;
        _grantRole(VAULT_MANAGER_ROLE, by.manager);
    }

    /// @notice Creates a vault of a listed token, active from the start. Name and symbol are cut as `Texts` does.
    function createVault(
        IERC20 token,
        string calldata name,
        string calldata symbol,
        address curator,
        uint32 noticePeriod,
        Mandate calldata mandate,
        Pricing calldata pricing
    ) external onlyRole(VAULT_MANAGER_ROLE) returns (FinancingVault) {
        if (!claims.tokens().isListed(address(token))) revert TokenNotListed(address(token));

        return _create(
            VaultSetup(token, Texts.cut(name), Texts.cut(symbol), curator, noticePeriod, Terms(mandate, pricing))
        );
    }

    /// @notice Activates or deactivates a vault. An inactive one finances nothing and takes no deposits; it pays
    /// withdrawals and receives repayments.
    function setActive(address vault, bool active) external onlyRole(VAULT_MANAGER_ROLE) {
        if (!isRegistered[vault]) revert UnknownVault(vault);
        if (isActive[vault] == active) revert VaultStatusUnchanged(vault, active);

        isActive[vault] = active;
        emit VaultStatusChanged(vault, active);
    }

    /// @notice Number of vaults, inactive ones included.
    function vaultCount() external view returns (uint256) {
        return _vaults.length;
    }

    /// @notice At most `limit` vaults from position `offset`, in order of registration.
    function vaults(uint256 offset, uint256 limit) external view returns (address[] memory page) {
        uint256 start = Math.min(offset, _vaults.length);
        uint256 end = start + Math.min(limit, _vaults.length - start);
        page = new address[](end - start);
        for (uint256 i = start; i < end; ++i) {
            page[i - start] = _vaults[i];
        }
    }

    function _create(VaultSetup memory setup) private returns (FinancingVault created) {
        created = deployer.deploy(setup);
        address vault = address(created);
        _vaults.push(vault);
        isRegistered[vault] = true;
        isActive[vault] = true;
        emit VaultRegistered(
            vault,
            address(setup.token),
            setup.curator,
            setup.name,
            setup.symbol,
            setup.noticePeriod,
            setup.terms.mandate,
            setup.terms.pricing
        );
        emit VaultStatusChanged(vault, true);
    }
}
