// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
import {FinancingVault} from "./FinancingVault.sol";
import {RouterRegistries} from "./RouterRegistries.sol";
import {Allocation, Claim, ClaimState} from "./Types.sol";

/// @notice Settlements, and the credits of recipients that a token cannot pay.
abstract contract Settlements is RouterRegistries, ReentrancyGuard {
    using SafeERC20 for IERC20;

    /// @notice What the router holds for an account that a settlement could not pay, in base units of the token.
    mapping(address account => mapping(address token => uint256)) public credits;
    /// @dev Bit i is set while the router holds the repayment of slice i.
    mapping(bytes32 claimId => uint256) private _heldSlices;

    event ClaimSettled(
        bytes32 indexed claimId,
        address indexed payer,
        address indexed token,
        uint256 faceValue,
        uint256 vaultsAmount,
        uint256 beneficiaryAmount
    );

    /// @notice A settlement could not pay `account`: the router holds the amount for it.
    event Credited(bytes32 indexed claimId, address indexed account, address indexed token, uint256 amount);
    /// @notice The credit of a vault is the repayment of this slice. Follows `Credited`.
    event RepaymentHeld(bytes32 indexed claimId, address indexed vault, uint8 sliceIndex, uint256 faceAmount);
    event CreditWithdrawn(address indexed account, address indexed token, uint256 amount);

    error AmountExceedsMaximum(uint256 amount, uint256 maxAmount);
    error NoCredit(address account, address token);
    error RepaymentNotHeld(bytes32 claimId, uint256 sliceIndex);

    /// @notice Pays a claim's face value from the caller: to each vault what it financed, the rest to the beneficiary.
    /// Also before the due date: vaults earn their discounts as if it was paid then. A recipient that the token cannot
    /// pay is credited and stops nobody else's payment. Possible while paused: a pause stops new financing, not
    /// repayment.
    /// @param token Token of the claim. With `maxAmount`, it lets a wallet show what is paid.
    /// @param maxAmount The most that the caller pays, in base units of `token`.
    function settle(bytes32 claimId, address token, uint256 maxAmount) external nonReentrant {
        Claim memory record = claims.claim(claimId);
        if (record.state == ClaimState.NONE) revert UnknownClaim(claimId);
        if (token != record.token) revert UnexpectedToken(token, record.token);
        if (record.faceValue > maxAmount) revert AmountExceedsMaximum(record.faceValue, maxAmount);

        claims.markSettled(claimId);
        uint256 rest = record.faceValue - record.financedFaceValue;
        emit ClaimSettled(claimId, msg.sender, record.token, record.faceValue, record.financedFaceValue, rest);

        _repayVaults(claimId, token);
        if (rest > 0) _payOrCredit(claimId, token, record.beneficiary, rest);
    }

    /// @notice Pays the caller's whole credit in a token. There is no other receiver: a token that blocks an account
    /// has no reason to block the router, too, which would stop the settlements of others.
    function withdrawCredit(address token) external nonReentrant returns (uint256 amount) {
        amount = credits[msg.sender][token];
        if (amount == 0) revert NoCredit(msg.sender, token);

        _payCredit(msg.sender, token, amount);
    }

    /// @notice Pays a vault the repayment that a settlement could not. Anyone may call it: the vault
    /// cannot.
    function releaseRepayment(bytes32 claimId, uint8 sliceIndex) external nonReentrant {
        uint256 slice = 1 << sliceIndex;
        if (_heldSlices[claimId] & slice == 0) revert RepaymentNotHeld(claimId, sliceIndex);

        _heldSlices[claimId] ^= slice;
        Allocation memory part = claims.allocations(claimId)[sliceIndex];
        _payCredit(part.vault, claims.claim(claimId).token, part.faceAmount);
        FinancingVault(part.vault).recordRepayment(claimId, sliceIndex, part.faceAmount, part.advanceAmount);
    }

    /// @notice Whether the router holds the repayment of a slice for its vault, which counts it as outstanding until
    /// then.
    function isRepaymentHeld(bytes32 claimId, uint8 sliceIndex) external view returns (bool) {
        return _heldSlices[claimId] & (1 << sliceIndex) != 0;
    }

    // ---------------------------------------------------------------- payments

    /// @dev A second transfer, from the caller to the router, finds out which of the two the token refuses: if it fails
    /// as well, the caller cannot pay and the call reverts with the token's error.
    function _payOrCredit(bytes32 claimId, address token, address to, uint256 amount) private returns (bool paid) {
        paid = IERC20(token).trySafeTransferFrom(msg.sender, to, amount);
        if (paid) return true;
        IERC20(token).safeTransferFrom(msg.sender, address(this), amount);
        credits[to][token] += amount;
        emit Credited(claimId, to, token, amount);
    }

    function _payCredit(address account, address token, uint256 amount) private {
        credits[account][token] -= amount;
        emit CreditWithdrawn(account, token, amount);
        IERC20(token).safeTransfer(account, amount);
    }

    // ---------------------------------------------------------------- effects

    /// @dev Each vault gets the face of its slices from the caller, and books it when it has the tokens.
    function _repayVaults(bytes32 claimId, address token) private {
        Allocation[] memory allocated = claims.allocations(claimId);
        for (uint256 i; i < allocated.length; ++i) {
            Allocation memory part = allocated[i];
            if (_payOrCredit(claimId, token, part.vault, part.faceAmount)) {
                FinancingVault(part.vault).recordRepayment(claimId, uint8(i), part.faceAmount, part.advanceAmount);
            } else {
                _heldSlices[claimId] |= 1 << i;
                emit RepaymentHeld(claimId, part.vault, uint8(i), part.faceAmount);
            }
        }
    }
}
